"""Secrets known by their form. Keys are invented, and put together from parts where a scanner would stop at one."""

import pytest

from awhm_hooks.journal.redact import clean

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
    "mysql -u root -p",
    "mysql -p -u root",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer ${TOKEN}",
    "Bearer authentication",
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
    "token_url: https://auth.example.com/token",
    "secret: https://vault.example.com/v1/secret/data",
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
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "def test_re_groupref_exists_validation_bug2(self):",
    "pass --user 1000:1000 to docker",
    "spinning: 12345678",
    "move the token from cookie1 to sessionStorage2",
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


def test_a_key_block_across_the_cut_is_gone_whole() -> None:
    text = "a " * 49_000 + pem().replace(KEY_LINES, (KEY_LINES + "\n") * 400) + "b " * 49_000
    assert "x8Qw" not in clean(text)
    assert "[redacted:private-key]" in clean(text)


def test_a_putty_key_is_gone_whole() -> None:
    key = "PuTTY-User-Key-File-2: ssh-rsa\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\nAb3dE9\nPrivate-MAC: 0a1b"
    assert clean(f"see\n{key}\nend") == "see\n[redacted:private-key]\nend"
    assert clean("see\n" + key.partition("Private-MAC")[0]) == "see\n[redacted:private-key]"
    assert clean("the PuTTY-User-Key-File-2 format") == "the PuTTY-User-Key-File-2 format"
