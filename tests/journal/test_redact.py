"""What must not be stored is gone from a text, and nothing else is.

Keys are invented; where a scanner of repositories would stop at one, it is put together here from its parts.
"""

import os
import re
import string
import subprocess
import sys
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from awhm_hooks.journal import redact, secrets
from awhm_hooks.journal.redact import INJECTION_HEADER, clean, is_command, is_control, is_machine_prompt

ALNUM36 = "Ab3dE9" * 6
HEX32 = "9f86d081884c7d65" * 2
HEX40 = "9fceb02d0ae598e95dc970b74767f19372d61af8"
BASE40 = "wJalrXUtnFEMI" + "/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
KEY_LINES = "\n".join(["MIIEpAIBAAKCAQEA7bq3" + "x8Qw" * 11] * 3)


def pem(kind: str = "RSA PRIVATE KEY", end: bool = True) -> str:
    return f"-----BEGIN {kind}-----\n{KEY_LINES}\n" + (f"-----END {kind}-----" if end else "")


# The text with § where the secret stands, the secret, its kind. The rest must stay as it is, to the character.
SECRETS = [
    # issued keys
    ("use § to push", "ghp" + "_" + ALNUM36, "github-token"),
    ("use § to push", "gho" + "_" + ALNUM36, "github-token"),
    ("(§)", "ghu" + "_" + ALNUM36, "github-token"),
    ("§.", "ghs" + "_" + ALNUM36, "github-token"),
    ("refresh §, please", "ghr" + "_" + ALNUM36, "github-token"),
    ("fine-grained: §", "github_" + "pat_11ABCDEFG0" + ALNUM36, "github-token"),
    ("push with §", "glpat" + "-x8Qw2Lk9ZpR4tV7yB1nM", "gitlab-token"),
    ("the id is § for S3", "AKIA" + "IOSFODNN7EXAMPLE", "aws-access-key-id"),
    ("session § expired", "ASIA" + "Y34FZKBOKMUTVV7A", "aws-access-key-id"),
    ("aws_secret_access_key = §", BASE40, "aws-secret-key"),
    ("AWS_SECRET_ACCESS_KEY=§", BASE40, "aws-secret-key"),
    ("the AWS secret is §", BASE40, "aws-secret-key"),
    ("export X=§ now", "sk-ant" + "-api03-Ab3dE9Ab3dE9_Ab3dE9-AA", "anthropic-key"),
    ("set § there", "sk-" + "Ab3dE9" * 8, "openai-key"),
    ("set § there", "sk-" + "proj-Ab3dE9Ab3dE9Ab3dE9_x", "openai-key"),
    ("set § there", "sk-" + "svcacct-Ab3dE9Ab3dE9Ab3dE9_x", "openai-key"),
    ("route via §", "sk-" + "or-v1-" + HEX32, "openrouter-key"),
    ("bot §", "xoxb" + "-123456789012-123456789012-Ab3dE9Ab3dE9", "slack-token"),
    ("user §", "xoxp" + "-123456789012-Ab3dE9", "slack-token"),
    ("app §", "xapp" + "-1-A0123-456-" + HEX32, "slack-token"),
    ("post to https://hooks.slack.com/services/§ then", "T0123/B0123/" + "Ab3dE9Ab3dE9", "slack-webhook"),
    ("https://discord.com/api/webhooks/§", "1234567890/" + "Ab3dE9_" * 6, "discord-webhook"),
    ("charge with §", "sk" + "_live_Ab3dE9Ab3dE9Ab3dE9", "stripe-key"),
    ("charge with §", "sk" + "_test_Ab3dE9Ab3dE9Ab3dE9", "stripe-key"),
    ("charge with §", "rk" + "_live_Ab3dE9Ab3dE9Ab3dE9", "stripe-key"),
    ("verify with §", "whsec" + "_Ab3dE9Ab3dE9Ab3dE9", "stripe-webhook-secret"),
    ("https://maps.example.com/js?key=§&v=3", "AIza" + "SyAb3dE9Ab3dE9Ab3dE9Ab3dE9Ab3dE9-_x", "google-api-key"),
    ("§ is stale", "ya29" + ".a0Ab3dE9Ab3dE9-Ab3dE9", "google-oauth-token"),
    ("client §", "GOCSPX" + "-Ab3dE9Ab3dE9Ab3dE9Ab3dE9", "google-client-secret"),
    ("//registry.npmjs.org/:_authToken=§", "npm" + "_" + ALNUM36, "npm-token"),
    ("twine -p §", "pypi" + "-AgEIcHlwaS5vcmc" + ALNUM36, "pypi-token"),
    ("login § ok", "hf" + "_" + "AbCdEfGh" * 4 + "Ij", "huggingface-token"),
    ("mail §", "SG." + "Ab3dE9Ab3dE9Ab3dE9Ab3d" + "." + "Ab3dE9_" * 6 + "x", "sendgrid-key"),
    ("sms §", "SK" + HEX32, "twilio-key"),
    ("bot §", "123456789" + ":AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", "telegram-token"),
    ("bot §", "MTk4NjIyNDgzNDcxOTI1MjQ4" + ".Cl2FMQ." + "ZnCjm1XVW7vRze4b7Cq4se7kKWs", "discord-token"),
    ("droplet §", "dop" + "_v1_" + HEX32 + HEX32, "digitalocean-token"),
    ("shop §", "shpat" + "_" + HEX32, "api-key"),
    ("track §", "lin" + "_api_" + ALNUM36, "api-key"),
    ("fast §", "gsk" + "_" + ALNUM36, "api-key"),
    ("§", "hvs" + ".CAESI" + ALNUM36, "vault-token"),
    ("§", "key-" + HEX32, "mailgun-key"),
    ("§", HEX32 + "-us14", "mailchimp-key"),
    ("it sent § back", JWT, "jwt"),
    ("it sent § back", ".".join(JWT.split(".")[:2]), "jwt"),
    ("the hash § leaked", "$2b$12$" + "Ab3dE9" * 9, "password-hash"),
    # private keys
    ("here:\n§\nthat was it", pem(), "private-key"),
    ("here:\n§\nthat was it", pem("OPENSSH PRIVATE KEY"), "private-key"),
    ("here:\n§\nthat was it", pem("EC PRIVATE KEY"), "private-key"),
    ("here:\n§\nthat was it", pem("PRIVATE KEY"), "private-key"),
    ("here:\n§\nthat was it", pem("ENCRYPTED PRIVATE KEY"), "private-key"),
    ("here:\n§\nthat was it", pem("PGP PRIVATE KEY BLOCK"), "private-key"),
    ("cut off:\n§", pem(end=False), "private-key"),
    ('{"key": "§"}', pem().replace("\n", "\\n"), "private-key"),
    # addresses
    ("db is postgres://app:§@db.local/x", "hunter2pass", "password"),
    ("mongodb+srv://root:§@c0.example.net/?w=1", "p%40ss", "password"),
    ("redis://:§@localhost:6379/0", "swordfish", "password"),
    ("clone https://jane:§@git.example.com/a.git", "correcthorse", "password"),
    ("amqp://u:§@mq:5672", "p@ss", "password"),
    ("mysql://root:§@db/x", "a/b#c", "password"),
    ("clone https://§@git.example.com/a.git", "0123456789abcdef0123", "token"),
    ("GET https://api.example.com/v1?token=§&page=2", "abc123def456", "token"),
    ("GET https://api.example.com/v1?page=2&api_key=§", "abc123def456", "key"),
    ("GET https://api.example.com/v1?access_token=§#x", "abc123def456", "token"),
    ("https://s3.example.com/f?X-Amz-Signature=§", HEX32, "signature"),
    ("https://a.blob.example.net/c?sv=1&sig=§", "Ab3dE9%2FAb3dE9%3D", "signature"),
    ("jdbc:oracle:thin:scott/§@db:1521/x", "tiger", "password"),
    ("Server=db;Database=x;User Id=sa;Password=§;Encrypt=true", "S3cr,et!1", "password"),
    ("Server=db;Uid=sa;Pwd=§;", "Passw0rd", "password"),
    ("DefaultEndpointsProtocol=https;AccountKey=§;EndpointSuffix=x", "Ab3dE9/+" * 10 + "Ab3dEQ==", "key"),
    ("Endpoint=sb://x.example.net/;SharedAccessKey=§", "Ab3dE9/+" * 5 + "a12=", "key"),
    # headers and command lines
    ("Authorization: Bearer §", "abc.def-123_456", "authorization"),
    ("Authorization: Basic §", "dXNlcjpwYXNzdzByZA==", "authorization"),
    ("authorization: token §", "abcdef1234567890", "authorization"),
    ('curl -H "Authorization: Bearer §" https://api.example.com', "abc123def456ghi", "authorization"),
    ('headers = {"Authorization": "Bearer §"}', "abc123def456ghi", "authorization"),
    ("send Bearer § instead", "abc123def456ghi789", "authorization"),
    ("X-Api-Key: §", "abc123def456", "key"),
    ("X-Auth-Token: §", "abc123def456", "token"),
    ("Cookie: session=§", "abc123def456", "cookie"),
    ("Set-Cookie: sid=§; Path=/; HttpOnly", "s%3Aabc123", "cookie"),
    ("curl -u jane:§ https://example.com", "hunter2", "password"),
    ("mysql -u root -p§ shop", "hunter2", "password"),
    ("mysqldump -u root -p'§' shop".replace("'§'", "§"), "'correct horse'", "password"),
    ("sshpass -p § ssh jane@host", "hunter2", "password"),
    ("docker login -u jane -p § ghcr.io", "hunter2", "password"),
    ("redis-cli -h r -a § ping", "hunter2", "password"),
    ("tool --password § --verbose", "hunter2", "password"),
    ("tool --password=§ --verbose", "hunter2", "password"),
    ("tool --token § run", "abc123def456", "token"),
    ("tool --api-key § run", "abc123def456", "key"),
    ("PGPASSWORD=§ psql -h db", "swordfish", "password"),
    ("machine git.example.com login jane password §", "hunter2", "password"),
    # assignments
    ("DB_PASSWORD=§", "hunter2", "password"),
    ("DB_PASSWORD=§\nDB_HOST=db", "swordfish", "password"),
    ('export SECRET_KEY_BASE="§"', "0a1b2c3d4e5f", "secret"),
    ("GITHUB_TOKEN=§", "abcdef123456", "token"),
    ("JWT_SECRET=§", "supersecretvalue", "secret"),
    ("POSTGRES_PASSWORD=§ docker compose up", "mysecretpassword", "password"),
    ("PASSWORD2=§", "swordfish", "password"),
    ("STRIPE_API_KEY_PROD=§", "abc123def456", "key"),
    ('{"user": "jane", "password": "§"}', "swordfish", "password"),
    ('{"user": "jane", "password": "§"}', "correct horse battery", "password"),
    ('{\\"password\\": \\"§\\"}', "hunter2", "password"),
    ('{"client_secret": "§", "id": 4}', "abc123-def456", "secret"),
    ('"accessToken":"§"', "abc123def456", "token"),
    ("password: §", "hunter2", "password"),
    ("password: §\nuser: jane", "swordfish", "password"),
    ("user: jane, password: §, host: db", "swordfish", "password"),
    ("  api_key: §", "abc123def456", "key"),
    ("spring.datasource.password=§", "hunter2", "password"),
    ("'password' => '§',", "hunter2", "password"),
    ('password := "§"', "hunter2", "password"),
    ('password: str = "§"', "hunter2", "password"),
    ("const apiKey = '§';", "abc123def456", "key"),
    ('private static final String PASSWORD = "§";', "swordfish", "password"),
    ('os.environ["API_TOKEN"] = "§"', "abc123def456", "token"),
    ("ansible_become_pass: §", "hunter2", "password"),
    ("encryption key: §", HEX32, "key"),
    ("the key is §", HEX32, "key"),
    ("**Password:** `§`", "hunter2", "password"),
    ("password (staging): §", "hunter2", "password"),
    ("Passwort: §", "hunter2", "password"),
    ("contraseña: §", "hunter2", "password"),
    ("<password>§</password>", "swordfish", "password"),
    ("<server><id>a</id><apiKey>§</apiKey></server>", "abc123def456", "password"),
    ("- name: DB_PASSWORD\n  value: §", "swordfish", "password"),
    ('<add key="ApiKey" value="§"/>', "abc123def456", "password"),
    ('{"name": "API_TOKEN", "value": "§"}', "abc123def456", "password"),
    ("ALTER USER app WITH PASSWORD '§';", "swordfish", "password"),
    ("CREATE USER app IDENTIFIED BY '§';", "swordfish", "password"),
    ('requests.get(url, auth=("jane", "§"))', "hunter2", "password"),
    ("echo § | docker login --password-stdin", "hunter2", "password"),
    ("SMTP_PASS=§", "swordfish", "password"),
    ("smtp_pass: §", "swordfish", "password"),
    ("host=db pass=§ user=x", "swordfish", "password"),
    ("pw: §", "hunter2", "password"),
    ('password = "§"', 'a\\"b c', "password"),
    ("password: §", "correct-horse-battery", "password"),
    ("password is “§”", "correct horse", "password"),
    ("the token: §!", "abc-123-def", "token"),
    ("Secret access key: §", BASE40, "key"),
    ("the secret key: §", "/" + BASE40[1:], "key"),
    ("  refresh_token: '§'", "abc123def456", "token"),
    ("openssl rsa -passin pass:§", "hunter2", "password"),
    ("encryption_key=§", "Ab3dE9/+" * 5 + "a12=", "key"),
    ("Password:\n  §\nUser: x", "hunter2", "password"),
    # told in a sentence
    ("password §", "hunter2", "password"),
    ("use the api key § for it", "abc123def456", "key"),
    ("the wifi password is §", "correcthorsebatterystaple", "password"),
    ("password is § and user is admin", "hunter2", "password"),
    ("ssh root@192.0.2.1, password: §", "toor", "password"),
    ("Our DB password's §", "hunter2", "password"),
    ("the passphrase is `§`", "correct horse battery staple", "password"),
    ("basic auth is admin:§", "hunter2", "password"),
    ("my recovery phrase is §", "apple banana cherry date elder fig grape honey iris jade kiwi lemon", "seed-phrase"),
    ("reset the root password to §, then reboot", "hunter2", "password"),
    ("cambia la contraseña a §", "girasol77", "password"),
    ("ich habe das Passwort auf § geändert, setz es", "sonnenblume7", "password"),
    ("my password is §.", "hunter2", "password"),
    ("My password is §", "swordfish", "password"),
    ("my password is '§', remember it", "swordfish", "password"),
    ("the password for the staging db is §", "hunter2", "password"),
    ("the password for db.example.com is §, user admin", "hunter2", "password"),
    ("the passphrase is §", "correct horse battery staple", "password"),
    ("the passphrase is §.", "purple monkey dishwasher", "password"),
    ("our API key is §", "abc123def456", "key"),
    ("the api key is: §", "abc123def456", "key"),
    ("The token is § by the way", "abc123def456", "token"),
    ("the admin password is now §", "Summer2026!", "password"),
    ("change the password to §", "hunter2", "password"),
    ("log in with admin and password §", "hunter2", "password"),
    ("§ is my password", "hunter2", "password"),
    ("use § as the password", "hunter2", "password"),
    ("credentials: admin / §", "hunter2", "password"),
    ("my pin is §", "4471", "pin"),
    ("la contraseña es §", "girasol77", "password"),
    ("la contraseña es §", "girasol", "password"),
    ("mi clave es §.", "girasol77", "password"),
    ("la contraseña de la base es §", "girasol77", "password"),
    ("das Passwort ist §", "sonnenblume7", "password"),
    ("das Passwort lautet §", "sonnenblume", "password"),
    ("mein Kennwort ist §.", "sonnenblume", "password"),
    ("le mot de passe est §", "tournesol7", "password"),
    ("密码是 §", "hunter2", "password"),
    ("pay with § today", "4111 1111 1111 1111", "card-number"),
    ("pay with § today", "5555-5555-5555-4444", "card-number"),
    ("pay with §.", "378282246310005", "card-number"),
]

# Nothing here is a secret: the text stays as it is.
PLAIN = [
    "I prefer pytest over unittest",
    f"the fix is in {HEX40}",
    f"commit {HEX40[:7]} broke it",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "sha256:" + HEX32 + HEX32,
    f"image example/app@sha256:{HEX32}{HEX32}",
    f'integrity="sha512-{"Ab3dE9/+" * 8}=="',
    "token limit is 4096",
    "the token limit is 4096 tokens",
    "max_tokens: 4096",
    "max_tokens=8192",
    "total tokens: 128000",
    "tokens: 128k",
    "token_count = 12345678",
    "token: 4096",
    "the password field is required",
    "the password is required",
    "Password is too short",
    "the password is at least 12 characters",
    "password is 8+ chars",
    "the password must be 12 characters long",
    "passwords are hashed with bcrypt",
    "the secret is stored in Vault",
    "the secret is in Vault",
    "the token is expired",
    "the token is a JWT",
    "the token is refreshed hourly",
    "the api key is missing",
    "the key is unique",
    "is the password correct?",
    "the password is wrong.",
    "the password is hashed",
    "the password is base64-encoded",
    "password reset is broken",
    "password hashing uses argon2id",
    "hash the password with argon2id please",
    "password policy: 12 characters",
    "password length: 12",
    "PASSWORD_MIN_LENGTH=12",
    "password_hash: TEXT",
    "passwordless: true",
    "the passphrase is required",
    "the passphrase is stored in the keychain",
    "forgot password flow",
    "token = get_token()",
    "token = await fetch_token(user_id)",
    "password: str",
    "def login(user: str, password: str) -> bool:",
    "password: SecretStr",
    "token: Optional[str] = None",
    "password?: string;",
    "password = input('Password: ')",
    "password = os.environ['DB_PASSWORD']",
    'password = os.getenv("DB_PASSWORD")',
    "const token = process.env.API_TOKEN;",
    "secret = settings.SECRET_KEY",
    "secret = crypto.randomBytes(32)",
    "password=password",
    "token=token",
    "login(user, password=user_password)",
    "this.password = password;",
    "self.token = token",
    "password = newPassword",
    "if password == confirm_password:",
    "auth = None",
    "auth: jwt",
    "auth: OAuth2",
    "auth=True",
    "author: Jane",
    "authors = ['Jane', 'Jo']",
    "GITHUB_TOKEN=$GITHUB_TOKEN",
    "GITHUB_TOKEN=${GITHUB_TOKEN}",
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    "PASSWORD=$(cat /run/secrets/db)",
    "token: <your-token>",
    "token=<token>",
    "api_key: YOUR_API_KEY",
    "api_key: xxxxxxxxxxxx",
    "password: ********",
    "password: ...",
    "password=changeme",
    "password: {{ vault_db_password }}",
    "password: !vault |",
    "--token <token>",
    "--password-stdin",
    "the --password flag is deprecated",
    "pass --token to it",
    "mysql -u root -p",
    "mysql -p -u root",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer ${TOKEN}",
    "Bearer authentication",
    "we use bearer tokens",
    "the Authorization header is required",
    "cookie: consent banner",
    "set the cookie to secure",
    "ghp_ tokens are for GitHub",
    "ghp_xxxxxxxxxxxxxxxxxxxx",
    "AKIA is the prefix of AWS keys",
    "sk-learn and task-force-planning",
    "install scikit-learn and sk-video",
    "keys start with sk-ant-",
    "eyJ is how a JWT begins",
    "pypi-server-with-a-really-long-name-here",
    "private_key_path: ~/.ssh/id_rsa",
    "SSH_KEY=/home/dev/.ssh/id_ed25519",
    "private_key: ./keys/app.pem",
    "token_url: https://auth.example.com/token",
    "secret: https://vault.example.com/v1/secret/data",
    "secretName: app-tls",
    "secret: app-tls",
    "secret_name: db-credentials",
    "token_type: bearer",
    "key: value",
    "primary key: 123456789",
    "cache key: " + HEX40,
    "keyboard: us-intl2",
    "the monkey is hungry",
    "compass: north2south",
    "tests pass: 42, fail: 3",
    "all tests pass: 100%",
    "pass: true",
    "the pin is 13",
    "pin: 3.11.4",
    "https://example.com/login",
    "https://example.com:8080/path/@scope/pkg",
    "http://localhost:3000/@fs/src",
    "https://example.com/a?page_token=abc123def456",
    "https://example.com/?q=token",
    "git@github.com:jane/repo.git",
    "ssh://git@host.example/repo",
    "postgres://localhost:5432/db",
    "mailto:jane@example.com",
    "npm i @scope/pkg@1.2.3",
    "postgres://app:$DB_PASSWORD@db/x",
    "postgres://app:<password>@db/x",
    "postgres://app:${DB_PASSWORD}@db/x",
    "docker run -u 1000:1000 image",
    "curl -u $USER:$PASS https://example.com",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "the file must start with -----BEGIN PRIVATE KEY----- or it fails",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAb3dE9Ab3dE9Ab3dE9Ab3dE9Ab3dE9Ab3dE9 jane@host",
    "order 4111111111111112",
    "order 1234 5678 9012 3456",
    "at 1767268800000 ms",
    "at 1767268800000000000 ns",
    "call +49 170 1234567890",
    "DE89 3704 0044 0532 0130 00",
    "3.14159265358979323846",
    "la contraseña es obligatoria",
    "la contraseña es incorrecta",
    "la contraseña es demasiado corta",
    "la clave primaria es id",
    "das Passwort ist falsch",
    "das Passwort ist abgelaufen",
    "das Passwort ist im Tresor",
    "ist das Passwort korrekt?",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "the design token: colorPrimary500",
    "csrf tokens are checked per form",
    "next_page_token: abc123def",
    "use OAuth2 as the token flow",
    "the secret of success is patience",
    "key takeaways: be brief",
    "Is my password safe?",
    "where is the password?",
    "add a password field2 to the form",
    "the password, the token and the key",
    "def __init__(self, user='', passwd='', acct=''):",
    'password=""',
    "login(user, password=entered)",
    "username, password = split",
    "def generate(self) -> x25519.X25519PrivateKey:",
    "private_key: ed25519.Ed25519PrivateKey",
    '"password": _unquote(uri.password)',
    "the --username and --password options",
    'Token: "#ddd0c0"',
    ":type passphrase: :py:data:`bytes`",
    'CHALLENGE_PASSWORD: "challengePassword"',
    'masked_token = f"{token[:3]}****{token[-4:]}"',
    'USER_PASSWD = "%s:%s"',
    '"key_sha256": "' + HEX40 + '"',
    "key1=value1//key2=value2",
    "gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
    "def test_re_groupref_exists_validation_bug2(self):",
    "publicKeyToken=" + "1fc8b3b9a1e18e3b",
    '<input type="password" name="password">',
    '<input name="token" value="">',
    "<password>${db.password}</password>",
    "<token>",
    "the auth module and the login page",
    "auth=('user', password)",
    "CREATE USER app IDENTIFIED BY password",
    "use the token to call the API",
    "set the password to something stronger",
    "switch the auth to OAuth2",
    "move the secret to AWS Secrets Manager",
    "the key to success",
    "rename token to access_token",
    "the password is rotated every 90 days",
    "the password is case-sensitive",
    "the token's expiry is 15 minutes",
    "token's lifetime: 3600",
    "the API key is in 1Password",
    "api key: see 1Password",
    "password: see the wiki",
    "Password: the user's password",
    "token: the JWT issued at login",
    "secrets: inherit",
    "secret: true",
    "token: string",
    "password: z.string().min(8)",
    "password: { type: String, required: true }",
    "password VARCHAR(255) NOT NULL",
    "the sort key is created_at2",
    "api_key = config['api_key']",
    "api_key = st.secrets['openai']",
    "key = line.split(':')[0]",
    "for key in keys: print(key)",
    "if key == 'abc123def456789':",
    "credentials: include",
    "credentials: 'same-origin'",
    "creds = load_creds()",
    "login: 12:30",
    "the login is at /users/sign_in2",
    "pass --user 1000:1000 to docker",
    "pass: step",
    "passed: 12345678",
    "spinning: 12345678",
    "pin numpy to 1.26.4",
    "pin: 4",
    "the passphrase is correct but the key is not",
    "mein Passwort ist sicher",
    "la contraseña es la misma",
    "mi contraseña no funciona",
    "Passwort: siehe Vault",
    "le mot de passe est obligatoire",
    "rotate tokens every 30 days",
    "we have 123456789012 tokens",
    "in 2026 we drop password auth",
    "API keys are SHA-256 hashed in the database",
    '"password": _unquote(split_uri.password)',
]


BLOCK = f"""{INJECTION_HEADER}
- [2026-02-11, this project] The API endpoint is https://api.example.com/v2
- [2026-02-12, you] Prefers pytest
  over unittest"""

# Our own block, however it comes back: the text and what is left of it.
INJECTED = [
    (BLOCK, ""),
    (f"{BLOCK}\n\nhow do we deploy?", "how do we deploy?"),
    (f"UserPromptSubmit hook additional context: {BLOCK}\n\nhow do we deploy?", "how do we deploy?"),
    (f"<system-reminder>\nUserPromptSubmit hook additional context: {BLOCK}\n</system-reminder>\nand now?", "and now?"),
    (f"<awhm-memory>\n{BLOCK}\n</awhm-memory> So: make ship.", "So: make ship."),
    (f"As you said:\n\n{BLOCK}\n\nSo it is v2.", "As you said:\n\nSo it is v2."),
    (f"I was given: {BLOCK}\nSo it is v2.", "I was given:\nSo it is v2."),
    (f"**{INJECTION_HEADER}**\n* [2026-02-11, this project] x\n\ny", "y"),
    (f"> {INJECTION_HEADER}\n> - [2026-02-11, this project] x\nmine", "mine"),
    (f"{INJECTION_HEADER}\n\n- [2026-02-11, this project] x\n- my own list", "- my own list"),
    (f"{BLOCK}\n{BLOCK}\nz", "z"),
    (f"what does '{INJECTION_HEADER}' mean?", "what does ' ' mean?"),
    (f"{INJECTION_HEADER} - [2026-02-11, this project] x\nz", "z"),
]

PRIVATE = [
    (
        "Rotate it. <private>vault pin 4471</private> I prefer monthly rotation.",
        "Rotate it. I prefer monthly rotation.",
    ),
    ("Sure: <private>client is Northwind</private> migration is done.", "Sure: migration is done."),
    ("a <PRIVATE>b</Private> c", "a c"),
    ("a <private>b <private>c</private> d</private> e", "a e"),
    ("keep <private>hidden\nand\n\nmore", "keep"),
    ("keep <private>a <private>b</private> c", "keep"),
    ("<private>all", ""),
    ("a </private> b", "a b"),
    ("a</private>b", "a b"),
    ("x<private>a</private>y<private>b</private>z", "x y z"),
    ('a <private reason="mine">b</private > c', "a c"),
    ("a <private/> b", "a b"),
    ("a\n<private>b</private>\nc", "a\nc"),
    ("the `<private>` tag hides text", "the `<private>` tag hides text"),
    ("write `<private>` before and `</private>` behind", "write `<private>` before and `</private>` behind"),
    ("```\nvault <private>4471</private> x\n```", "```\nvault x\n```"),
    ("```\nvault <private>4471</private> x", "```\nvault x"),
    ("`<private>4471</private>` x", "` ` x"),
    ("<private>see `</private>` 4471</private> x", "x"),
    ("a\n<private>b</private>\n    c", "a\n    c"),
    ("```\n<private>\n```\nvisible", "```\n<private>\n```\nvisible"),
    ("List<PrivateKey> and private things", "List<PrivateKey> and private things"),
    ("<pri<private>a</private>vate>b", "<pri vate>b"),
]

# What is left of a prompt beside the harness's own elements.
WRAPPED = [
    (
        "Result: <persisted-output>40 KB of grep output ...</persisted-output> I prefer option B.",
        "Result: I prefer option B.",
    ),
    ("<system-reminder>The date changed.</system-reminder>\nfix the test", "fix the test"),
    ("fix it\n<system-reminder>\nx\n</system-reminder>", "fix it"),
    ("a <SYSTEM-REMINDER>b</SYSTEM-REMINDER> c", "a c"),
    ("<ide_opened_file>The user opened /a/b.py.</ide_opened_file>\nwhat is this?", "what is this?"),
    ("<ide_selection>lines 1 to 3</ide_selection> explain", "explain"),
    ("<new-diagnostics>2 errors</new-diagnostics>go on with it", "go on with it"),
    ('<teammate-message teammate_id="a" color="b">done</teammate-message>\nthen merge', "then merge"),
    ("<user-prompt-submit-hook>noise</user-prompt-submit-hook>\nhello there", "hello there"),
    ("UserPromptSubmit hook success: noise\nmore noise\n\nhello there", "hello there"),
    ("<bash-input>ls</bash-input><bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>", ""),
    ("<system-reminder>a <system-reminder> b</system-reminder> mine", "mine"),
    ("<system-reminder>a<system-reminder>b</system-reminder>c</system-reminder>mine", "mine"),
    ("<task-notification>\n<task-id>b7x</task-id>\ncut off on its w", ""),
    ("what does <system-reminder> do?", "what does <system-reminder> do?"),
    ("<system-reminder> is shown to me, why?", "<system-reminder> is shown to me, why?"),
    ("the `<task-notification>x</task-notification>` form", "the `<task-notification>x</task-notification>` form"),
    ("```xml\n<bash-input>ls</bash-input>\n```\nparse it", "```xml\n<bash-input>ls</bash-input>\n```\nparse it"),
    ("~~~\n<bash-input>ls</bash-input>\n~~~", "~~~\n<bash-input>ls</bash-input>\n~~~"),
    ("<command> and <div>x</div> stay", "<command> and <div>x</div> stay"),
    ("if a < b and b > c", "if a < b and b > c"),
]

CHARACTERS = [
    ("I prefer tea \udc88 over coffee", "I prefer tea \ufffd over coffee"),
    ("\ud83d\ude80 go", "\U0001f680 go"),
    ("\ud83d", "\ufffd"),
    ("\ud83da", "\ufffda"),
    ("a\0b\x01c\x7fd\x9fe", "abcde"),
    ("a\r\nb\rc\vd\fe\x85f", "a\nb\nc\nd\ne\nf"),
    ("a\tb\nc", "a\tb\nc"),
    ("\x1b[2mCompacted\x1b[22m (\x1b]8;;https://x.example\x07link\x1b]8;;\x07)", "Compacted (link)"),
    ('表示は "dark" が好き → ⟦x⟧ — é ñ ü 👩‍👩‍👧 \ufeff', '表示は "dark" が好き → ⟦x⟧ — é ñ ü 👩‍👩‍👧 \ufeff'),
    ("ghp" + "_\0" + ALNUM36, "[redacted:github-token]"),
    ("my pass\x00word is hunter2", "my password is [redacted:password]"),
]

MACHINE = [
    "<task-notification>\n<task-id>b7x</task-id>\n<summary>CI failed; never deploy on red</summary>\n</task-notification>",
    "<task-notification>\n<summary>done</summary>\n</task-notification>\nRead the output file to retrieve the result: /tmp/x",
    "<task-notification>\n<task-id>b7x</task-id>\n<summary>cut o",
    "<system-reminder>The TodoWrite tool has not been used</system-reminder>",
    "  \n<system-reminder>x</system-reminder>\n",
    "<bash-notification><shell-id>1</shell-id><status>completed</status></bash-notification>",
    "<command-name>/model</command-name><local-command-stdout>Set model to sonnet</local-command-stdout>",
    "<command-message>deploy</command-message>\n<command-name>/deploy</command-name>\n<command-args>x</command-args>",
    "<command-name>/model</command-name>\n            <command-message>model</command-message>",
    "<local-command-stdout>\x1b[2mCompacted\x1b[22m</local-command-stdout>",
    "<local-command-caveat>Caveat: The messages below were generated by the user</local-command-caveat>",
    "<bash-input> uv run pytest -v</bash-input>",
    "<bash-stdout>bang-output</bash-stdout><bash-stderr></bash-stderr>",
    "[Request interrupted by user]",
    "[Request interrupted by user for tool use]",
    "This session is being continued from a previous conversation that ran out of context. The summary below",
    "Caveat: The messages below were generated by the user while running local commands. DO NOT respond to these",
    "Stop hook feedback:\n[lint]: 2 errors",
    'PreToolUse:Bash hook blocking error from command: "x": y',
    "UserPromptSubmit hook additional context: Relevant memories:\n- x",
    "SessionStart:startup hook success: ok",
    "Another Claude session sent a message while you were working:\nhi",
    "Base directory for this skill: /home/dev/.claude/skills/x\n\n# X",
    "Continue from where you left off.",
    "<persisted-output>Output too large (...)</persisted-output>",
    BLOCK,
    f"<system-reminder>\nUserPromptSubmit hook additional context: {BLOCK}\n</system-reminder>",
    "",
    " \n\t",
]
TYPED = [
    "I prefer pytest over unittest",
    "why does <task-notification> show up in my prompts?",
    "<system-reminder> is shown to me, why?",
    "`<bash-input>ls</bash-input>` is how it is stored",
    "```\n<task-notification>x</task-notification>\n```\nparse this",
    "<system-reminder>x</system-reminder>\nfix the flaky test",
    "<ide_opened_file>a.py</ide_opened_file>\nwhat is this?",
    "[Request interrupted by user]\nuse the other file",
    "[WIP] Request interrupted handling",
    "my Stop hook feedback is not shown",
    "Stop hook feedback is annoying, switch it off",
    "the session is being continued tomorrow",
    "Continue from where you left off. Then run the tests",
    "<div>hello</div>",
    "<private>all mine</private>",
    "/deploy staging",
    "Caveat: it is slow",
]
COMMANDS = [
    "/compact keep the API notes",
    "/deploy never skip tests",
    "/deploy staging",
    "/clear",
    "/plugin:name x",
    "/mcp__server__prompt a b",
    "/review-pr 12",
    "  /help",
    "/a\nb",
]
NOT_COMMANDS = [
    "/home/dev/shop-api/src is the source root",
    "//comment",
    "/ is the root",
    "/",
    "",
    "/* a comment */",
    "/tmp is full",
    "/etc",
    "/src/main.py has a bug",
    "/api/v2 is the base path",
    "/foo.txt is missing",
    "/123",
    "a /deploy",
    "/regex/ matches it",
    "and/or",
]
CONTROLS = [
    *(
        "y",
        "Yes",
        "yes!",
        "yes please",
        "ok",
        "OK.",
        "no",
        "n",
        "go",
        "go ahead",
        "continue",
        "Continue.",
        "thanks!",
        "thank you",
    ),
    *("sí", "vale", "sí, por favor", "ja", "ja bitte", "weiter", "mach weiter", "nein", "oui", "да", "好的", "はい"),
    *(
        "👍",
        "👍👍",
        "👍 thanks",
        "...",
        "?",
        "1",
        "2.",
        "12",
        "option 2",
        "a",
        "do it",
        "sounds good",
        "looks good",
        "lgtm",
        "keep going",
    ),
    *("ok, go on", "no thanks", "perfect, thanks", "danke", "gracias", "next", "", "  "),
]
NOT_CONTROLS = [
    "yes, use postgres",
    "no, the endpoint is v2",
    "use tabs",
    "postgres",
    "go is my language",
    "continue with the refund test",
    "why?",
    "2026",
    "3.11",
    "ok but never force push",
    "good tests matter",
    "it is the key",
    "do not deploy",
    "keep tabs",
    "ja, aber mit Tabs",
    "vale, usa tabs",
    "ok " * 40,
]


@pytest.mark.report("AWHM-P043")
@pytest.mark.parametrize(("text", "secret", "kind"), SECRETS)
def test_a_secret_is_replaced_and_the_rest_of_the_sentence_stays(text: str, secret: str, kind: str) -> None:
    assert clean(text.replace("§", secret)) == text.replace("§", f"[redacted:{kind}]")


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert clean(text) == text


@pytest.mark.report("AWHM-P043")
def test_several_secrets_of_one_sentence_go_and_its_words_stay() -> None:
    token, key_id = "ghp" + "_" + ALNUM36, "AKIA" + "IOSFODNN7EXAMPLE"
    text = f"use {token} to push and {key_id} for S3; db is postgres://app:hunter2pass@db.local/x"
    assert clean(text) == (
        "use [redacted:github-token] to push and [redacted:aws-access-key-id] for S3; "
        "db is postgres://app:[redacted:password]@db.local/x"
    )
    assert clean(f"Set GITHUB_TOKEN={token}") == "Set GITHUB_TOKEN=[redacted:github-token]"


def test_an_aws_secret_without_a_name_is_known_by_the_key_id_beside_it() -> None:
    text = f"AKIA{'IOSFODNN7EXAMPLE'} {BASE40} and {HEX40}"
    assert clean(text) == f"[redacted:aws-access-key-id] [redacted:aws-secret-key] and {HEX40}"
    assert clean(f"it reads {BASE40} somewhere") == f"it reads {BASE40} somewhere"


def test_cookies_lose_their_values_and_keep_their_names() -> None:
    assert clean("Cookie: a=abc123; b=def456") == "Cookie: a=[redacted:cookie]; b=[redacted:cookie]"


@pytest.mark.report("AWHM-P022")
@pytest.mark.parametrize(("text", "left"), INJECTED)
def test_what_we_injected_never_comes_back(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.report("AWHM-P041")
@pytest.mark.report("AWHM-P042")
@pytest.mark.parametrize(("text", "left"), PRIVATE)
def test_private_spans_are_removed(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.report("AWHM-P055")
@pytest.mark.parametrize(("text", "left"), WRAPPED)
def test_the_harness_s_elements_are_removed_with_their_bodies(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.report("AWHM-P030")
@pytest.mark.parametrize(("text", "left"), CHARACTERS)
def test_only_characters_that_can_be_stored_are_left(text: str, left: str) -> None:
    assert clean(text) == left
    assert clean(text).encode("utf-8")


@pytest.mark.report("AWHM-P054")
@pytest.mark.parametrize("text", MACHINE)
def test_a_machine_s_prompt_is_known(text: str) -> None:
    assert is_machine_prompt(text)


@pytest.mark.parametrize("text", TYPED)
def test_a_prompt_that_mentions_a_tag_stays_the_user_s(text: str) -> None:
    assert not is_machine_prompt(text)


@pytest.mark.report("AWHM-P056")
@pytest.mark.parametrize("text", COMMANDS)
def test_a_slash_command_is_known(text: str) -> None:
    assert is_command(text)


@pytest.mark.report("AWHM-P056")
@pytest.mark.parametrize("text", NOT_COMMANDS)
def test_a_path_or_comment_is_no_command(text: str) -> None:
    assert not is_command(text)


@pytest.mark.report("AWHM-P056")
@pytest.mark.parametrize("text", CONTROLS)
def test_a_bare_confirmation_is_known(text: str) -> None:
    assert is_control(text)


@pytest.mark.parametrize("text", NOT_CONTROLS)
def test_whatever_says_more_is_no_confirmation(text: str) -> None:
    assert not is_control(text)


@pytest.mark.report("AWHM-P037")
def test_a_very_long_text_keeps_head_and_tail() -> None:
    text = "please look: " + ("x" * 79 + "\n") * 37_500 + "The flaky test is test_refund."
    kept = clean(text)
    assert kept.startswith("please look: ")
    assert kept.endswith("The flaky test is test_refund.")
    head, mark, tail = kept.partition("\n[… ")
    left_out, mark_end, tail = tail.partition(" characters left out …]\n")
    assert mark and mark_end
    assert len(head) <= redact.KEPT_CHARS >= len(tail)
    assert len(head) + len(tail) + int(left_out) == len(text)
    assert head.endswith("x" * 79) and tail.startswith("x" * 79)


@pytest.mark.parametrize("length", [0, 1, 199_999, 200_000, 200_100, 200_101, 300_000])
def test_only_what_exceeds_head_and_tail_is_cut(length: int) -> None:
    text = "ab " * (length // 3) + "c" * (length % 3)
    assert (clean(text) == text) == (length <= 200_100)


def test_a_key_block_across_the_cut_is_gone_whole() -> None:
    text = "a " * 49_000 + pem().replace(KEY_LINES, (KEY_LINES + "\n") * 400) + "b " * 49_000
    assert "x8Qw" not in clean(text)
    assert "[redacted:private-key]" in clean(text)


def test_a_putty_key_is_gone_whole() -> None:
    key = "PuTTY-User-Key-File-2: ssh-rsa\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\nAb3dE9\nPrivate-MAC: 0a1b"
    assert clean(f"see\n{key}\nend") == "see\n[redacted:private-key]\nend"
    assert clean("see\n" + key.partition("Private-MAC")[0]) == "see\n[redacted:private-key]"
    assert clean("the PuTTY-User-Key-File-2 format") == "the PuTTY-User-Key-File-2 format"


PIECES = [
    *(
        "<private>",
        "</private>",
        "<pri",
        "vate>",
        "</pri",
        "<system-reminder>",
        "</system-reminder>",
        "<bash-input>",
        "</bash-input>",
    ),
    *(
        "`",
        "``",
        "```",
        "\n```\n",
        "~~~\n",
        "\n",
        "\n\n",
        " ",
        "  ",
        "\t",
        "\r",
        "\0",
        "\x1b[",
        "\x1b]",
        "\ud800",
        "\udc00",
        "é",
        "İ",
    ),
    *(
        INJECTION_HEADER,
        INJECTION_HEADER[:40],
        INJECTION_HEADER[40:],
        "\n- [2026-01-01, x] y",
        "- [",
        "Stop hook success: ",
        " hook ",
    ),
    *(
        "password",
        "token",
        "key",
        "secret",
        "api_key",
        "my ",
        "is",
        "=",
        ":",
        " = ",
        ": ",
        " is ",
        " to ",
        "--",
        "'",
        '"',
        "“",
        "”",
        "(",
        ")",
    ),
    *(
        "hunter2",
        "swordfish",
        "abc123def456",
        "[redacted:",
        "[redacted:password]",
        "]",
        "$X",
        "${",
        "<x>",
        "...",
        "-p",
        "mysql ",
        "curl -u a:",
    ),
    *(
        "ghp_",
        ALNUM36,
        "AKIA",
        "IOSFODNN7EXAMPLE",
        BASE40,
        HEX40,
        "eyJ",
        JWT,
        "sk-",
        "http://a:",
        "@b",
        "?",
        "&",
        "Cookie: ",
        "a=b",
        ";",
        ",",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "4111 1111 1111 1111",
        "5",
        "Authorization: Bearer ",
        "Basic ",
        "las contraseña ",
    ),
    *(
        "correct horse battery",
        "passphrase",
        "as the",
        "for the x",
        "\\",
        "\\n",
        "#",
        "*",
        "_",
        ".",
        "PuTTY-User-Key-File-2: ",
        "Private-Lines:",
    ),
]
texts = st.one_of(
    st.text(), st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=14).map("".join)
)


@given(texts)
@settings(max_examples=1500, deadline=None)
@example("`a <private>\n\n</private> `<system-reminder>x</system-reminder>` b")
@example("<private>x</private>```\n```\n<system-reminder>x</system-reminder>\n```")
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(text)
    assert clean(once) == once


@given(texts)
@settings(max_examples=500, deadline=None)
def test_every_text_comes_out_storable_and_every_question_is_answered(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert all(char in "\n\t" or not (char < " " or "\x7f" <= char < "\xa0") for char in cleaned)
    assert {is_machine_prompt(text), is_command(text), is_control(text)} <= {True, False}


@given(st.text(string.ascii_letters + string.digits, min_size=20, max_size=40), texts, texts)
@settings(max_examples=300, deadline=None)
def test_an_issued_key_between_blanks_never_stays(tail: str, before: str, after: str) -> None:
    key = "ghp" + "_" + tail
    if "xxxxx" not in tail.lower() and "your" not in tail.lower():
        assert key not in clean(f"{before} {key} {after}")


@given(texts, texts, st.text(string.ascii_lowercase, min_size=12, max_size=12))
@settings(max_examples=300, deadline=None)
def test_a_private_word_never_stays(before: str, after: str, word: str) -> None:
    before = before.replace("`", "").replace("~", "")
    assert word not in clean(f"{before} <private>{word}</private> {after}") or word in before + after


# Each is repeated up to three million characters: what is not linear in these takes minutes.
LONG = {
    "lines": "x" * 79 + "\n",
    "blanks": " ",
    "line ends": "\n",
    "openings": "<private>",
    "closings": "</private>",
    "pairs": "<private></private>",
    "wrappers": "<system-reminder>",
    "uneven wrappers": "<system-reminder><system-reminder></system-reminder>",
    "assignments": "password=",
    "assignments apart": "password=abc123 ",
    "names": "key:",
    "references": "token:$",
    "base64": "Ab3dE9/+",
    "backticks": "`a",
    "fences": "```\n<private>\n",
    "key blocks": "-----BEGIN PRIVATE KEY----- ",
    "addresses": "http://a:b@",
    "headers": INJECTION_HEADER + "\n- [2026-01-01, x] y\n",
    "hook lines": "Stop hook success: \n",
    "commands": "mysql -u curl ",
    "digits": "4111 ",
    "escapes": "\x1b[",
    "surrogates": "\ud800",
}


@pytest.mark.report("AWHM-P037")
@pytest.mark.parametrize("unit", LONG.values(), ids=LONG)
def test_three_million_characters_take_linear_time(unit: str) -> None:
    text = unit * (3_000_000 // len(unit))
    started = time.process_time()
    clean(text)
    is_machine_prompt(text)
    assert time.process_time() - started < 20


LONG_FORM = re.compile(r"\{(?:2[4-9]|3\d|4\d)(?:,\d*)?\}|argon2|webhookb2|hv")

IDLE = """
import sys
from awhm_hooks import regexes
from awhm_hooks.journal import redact
text = "Please fix the flaky refund test. We deploy with make ship; I prefer pytest over unittest."
assert redact.clean(text) == text
assert not redact.is_machine_prompt(text) and not redact.is_command(text) and not redact.is_control(text)
print(regexes._groups, {"re", "typing", "awhm_hooks.journal.secrets"} & set(sys.modules))
"""


def test_a_plain_prompt_loads_no_pattern() -> None:
    root = os.path.dirname(os.path.dirname(redact.__file__)) + "/.."
    code = f"import sys; sys.path.insert(0, {root!r})\n{IDLE}"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "{} set()\n"


def test_every_form_s_hint_is_one_that_redact_looks_for() -> None:
    """Or it stands for a long word, or comes with a naming word."""
    known = (*redact.FORM_HINTS, *redact.NAMED_FORM_HINTS)
    named = {"aws-secret-key", "password~13"}
    for label, hints, source in secrets.ROWS:
        if hints != ("",) and label not in named and not LONG_FORM.search(source):
            assert all(any(name in hint for name in known) for hint in hints), label
