"""Words that tell a secret from a word of prose or code, for secret_values.py."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PASSWORD_NAMES = _words(
    """
    password passwords passwd passphrase passphrases passwort kennwort pwd psw passcode contraseña contrasena clave
    senha passe 密码 密碼 パスワード пароль
    """
)
SECRET_NAMES = _words("secret token")
# "the tests only pass on the runner (label: …)": behind these, to pass is what tests do. Not so "the test pass for …".
BEFORE_TO_PASS = _words(
    """
    to they we only always never not must should would could can cannot can't may might will won't don't doesn't didn't
    tests checks specs builds jobs
    """
)
# What such a name names is about the secret, not the secret.
OTHER_SUFFIXES = _words(
    """
    id ids name names url uri path file dir type types count len length size limit sha sha1 sha256 md5 hash digest
    fingerprint checksum
    """
)
SECRET_ENDINGS = ("token", "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey")
WEAK_NAMES = _words("auth authorization cred creds credential credentials tokens secrets keys")

# "api key", "SIGNING_KEY": with one of these before it a key is a secret; with one of the others it never is.
KEY_QUALIFIERS = _words(
    """
    api access secret private signing encryption encrypt decryption master account shared deploy deployment service
    license licence auth authentication session jwt hmac webhook storage subscription admin root app application
    client server ssh gpg aes cookie openai anthropic claude stripe aws azure google gemini maps github gitlab slack
    twilio sendgrid mailgun datadog sentry supabase firebase cloudflare heroku algolia groq mistral deepseek
    openrouter huggingface pypi npm discord telegram resend linear notion
    """
)
OTHER_KEYS = _words(
    """
    public primary foreign cache partition sort unique composite natural surrogate idempotency routing row hash
    shortcut arrow enter tab shift ctrl control alt meta escape return space hot short lookup dedupe dedup map dict
    json object index i18n translation react candidate canonical recv keyserver group config environment metric
    label tag file storage-class s3 redis
    """
)
# A token of these is a unit of text or a page mark.
OTHER_TOKENS = _words(
    """
    max min num total per count next page prompt completion input output cached stop special pad eos bos unk sep
    mask continuation cancellation lex design word sub public syntax parser css colour color
    """
)

# What may follow the naming word within a name ("SECRET_KEY_BASE", "password2"); behind any other ("token_url") only a
# value of random look is a secret.
ALLOWED_SUFFIXES = _words(
    """
    base value val prod production staging stage dev development test testing live local new old current previous
    raw plain default root admin main primary secondary db database key string str text env v1 v2 base64 b64
    """
)

PLACEHOLDERS = _words(
    """
    xxx *** ... … string str text bytes byte int integer number bool boolean any none null nil undefined true false
    optional required void object unknown never char varchar secretstr redacted hidden masked changeme change_me
    change-me example placeholder password passwd passphrase token secret key apikey api_key api-key pwd value todo
    tbd n/a na foo bar baz foobar dummy fake sample test mytoken mypassword mysecret yourpassword yourtoken here
    default empty see vault keychain keyring 1password bitwarden lastpass env environ contraseña clave passwort
    kennwort senha user username
    """
)

# Roots of a dotted name in code or in a template.
CODE_ROOTS = _words(
    """
    self this os process env environ config settings args req request ctx context options opts params props app data
    user form cfg conf secrets vars var local module event body response res resp credentials creds cls state row
    obj object input kwargs vault import std crypto np steps github inputs needs matrix values each
    aws_secretsmanager_secret random_password parser flags argv session client
    """
)

# States a password can be in, and other words that follow "is" or ":" in prose.
STATES = _words(
    """
    a an the this that these those it its my our your his her their no not none nothing too so very also only always
    never still now again already just here there where when why how what which who in on at by from for with
    without within of to as if and or but must should shall can cannot could will would may might is are was be been
    has have had does do did wrong right correct incorrect valid invalid empty blank null missing absent present
    long short weak strong safe unsafe secure insecure plain plaintext cleartext visible invisible mandatory
    optional required sensitive secret public private unique same different known unknown old new set unset sent
    read kept shown given gone lost stale fresh expired okay ok fine good bad broken leaked case hash hashed salted
    encrypted base64 text string number bool boolean int integer bytes float char varchar object array list dict map
    nullable undefined true false yes auto manual disabled enabled unlimited infinite basic bearer digest oauth jwt
    ldap saml sso see use using stored saved asked prompted ask prompt reset forgot forgotten change changed confirm
    confirmed login logout field input form value values type types name names length limit size count policy
    policies hint flag flags option options argument arguments parameter parameters variable header cookie file
    files path stdin page screen dialog box label button manager protected rotation hashing support error errors
    failed failure mismatch check checks validation verification generation generator refresh access admin user
    users everything something anything someone everyone people really quite rather almost probably maybe perhaps
    likely falsch richtig korrekt leer abgelaufen erforderlich nötig sicher unsicher geheim gleich anders unbekannt
    bekannt lang kurz stark schwach nicht kein keine noch schon auch nur immer nie hier dort im am auf aus bei mit
    ohne zu sehr pflicht gesetzt incorrecta incorrecto correcta correcto obligatoria obligatorio necesaria necesario
    corta corto larga largo demasiado muy segura seguro insegura débil fuerte misma mismo igual distinta vacía vacío
    inválida válida sí una un el la los las en con sin para por como invalide vide obligatoire trop courte longue
    requis requise dans avec sans pour errada fraca forte obrigatória vazia muito curta encoded decoded random
    rotated rotating revoked written wrapped generated derived inherited injected
    """
)
STATE_ENDINGS = (
    "ed",
    "ing",
    "able",
    "ible",
    "less",
    "ful",
    "ous",
    "ly",
    "ically",
    "ada",
    "ado",
    "ida",
    "ido",
    "oria",
    "orio",
    "lich",
)

# A sentence, not a passphrase.
PHRASE_BREAKS = _words(
    """
    the a an in on to of for and or is by with when if from that it not be as at must should we you i so because but
    please now via using stored required has have was will can this there too la el en de es que no con para der die
    das ist nicht und im zu
    """
)

TECHNICAL = _words(
    """
    oauth1 oauth2 oauth2.0 base64 base64url base32 base58 sha sha1 sha2 sha256 sha384 sha512 md5 bcrypt scrypt argon2
    argon2i argon2d argon2id pbkdf2 utf8 utf-8 utf hs256 hs384 hs512 rs256 rs512 es256 es384 ed25519 x25519 x509
    pkcs1 pkcs8 pkcs12 aes128 aes256 aes rsa2048 rsa4096 rsa 1password http2 http/2 ipv4 ipv6 win32 p256 secp256k1
    rfc6238 rfc7519 rfc6749 rfc6750 i18n l10n k8s s3 ec2 oidc saml2 totp 2fa mfa hmac chacha20 blake2 blake2b blake3
    crc32 jwt jwe jws e2e v1 v2 v3
    """
)
