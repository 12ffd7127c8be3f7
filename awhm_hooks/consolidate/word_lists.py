"""Word lists of consolidation: about names (entities, `ner`) and about sameness (`dedup`)."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Files that people name in conversation; "README.md" is no organisation.
FILE_ENDINGS = _words(
    """
    bash bat c cc cfg cjs conf cpp cs css csv db dockerfile env exe gif go gz h hpp html ini ipynb java jpg js json
    jsonl jsx kt lock log lua md mjs mp4 pdf php pl png proto ps1 py pyc pyi rb rs rst scss sh so sql sqlite svg
    swift tar tf toml ts tsx txt vue wasm xml yaml yml zip zsh
    """
)
# Words of the trade that, with a capital, name nothing one would remember.
NOT_NAMES = _words(
    """
    ack adr ai api apis app apps argument asap ascii ast async auth backend backfill barrel bash bearer bom boolean
    branch bug button caching caveat cd changelog ci cicd claude cli cmd code column combine command commit
    completed conf config configs conflict cons consistency cookie copy cors cpu crud css css3 csv dashboard date db
    ddl decimal default delete demo description dev diff dns docs documentation done dry dto enum env eof error eta
    etc events explain export extension faq feature fetch field file filter fixme flag float fn form frontend func
    function fyi gb gc get gin gpu gui handler hash head header headers hook hooks html5 http https id ide idp ids
    imho imo import important index info insert int integer interface io ip iso issue item items join json jsonb jwt
    kb key kpi lgtm lib limit limiter line linter list llm local localhost log login main master mb md message
    method middleware migration ml mm mock modal mode model models module mr must mvp ner nit nlp notes null number
    object ok okay ops option options orm os output overview page pages patch path pdf phase pk plugin png poc port
    post pr primary prod production pros prs put query queue ram readme readme.md refactor refer reference regex
    release repo request requests response rest return reviews root router row sdk select server servers session
    settings sha shell simulate smtp source sql ssh ssl stage staging state status stdin stdout step string struct
    stub success summary tab table tabs task tb tcp template test tests thanks tips tls todo todos toggle token
    tokens true tsv ttl txt type types udp ui union update uri url urls usb user users utc utf utility uuid ux v1 v2
    value var version vm vpn wal warning webhook wip xhr xml xss yaml year yml zip
    """
)
# Classes are named for what they are; products rarely are.
CLASS_ENDINGS = tuple(
    _words(
        """
        Action Builder Button Chart Client Component Config Context Controller Data Dto Error Event Exception Factory
        Fields Filter Form Handler Id Info Input Intent Item Key List Manager Map Middleware Modal Model Node Option
        Order Output Page Parser Props Provider Queue Reducer Request Response Result Router Schema Selectors Service
        Set Spec State Status Store Styles Test Tests Token Type Update Var View Warning
        """
    )
)
# Words that begin a sentence with a capital and then pass for the first half of a name.
SENTENCE_OPENERS = _words(
    """
    actually add also always and ask build but call can change check commit correct could create debug delete deploy
    did do does don't drop ensure everything fix for from generate get give go hello hey hi how if implement import
    in install integrate is it just keep let let's list look make maybe merge migrate move my never no not note now
    ok okay on optimize perfect please prefer print pull push put read refactor remember remove rename replace
    revert rewrite run set should show since so sorry start stop store sure switch test thank thanks that the then
    there these they this to try turn update use using wait we what when where which who why will with write yes you
    your
    """
)
# The model calls Docker a person and Redis an organisation, now so and now so; a product resolves to one node.
PLAIN_PRODUCTS = _words(
    """
    alembic ansible celery deno django docker elasticsearch emacs esbuild eslint fastapi flask git github gitlab
    grafana graphql homebrew javascript jest jupyter kafka kubernetes laravel linux macos mariadb mongodb mypy mysql
    neovim next.js nextauth nginx node.js npm numpy pandas playwright pnpm postgres postgresql prettier prisma
    prometheus pulumi pydantic pytest python pytorch rabbitmq redis redux ruff sqlalchemy sqlite supabase svelte
    tailwind tensorflow terraform typescript ubuntu vercel vim vite vitest vscode webpack
    """
)
# Words of everyday speech too: products only with a capital.
CAPITAL_PRODUCTS = _words(
    """
    airflow android angular astro aws azure bigquery bitbucket blender cassandra chrome circleci clickhouse
    cloudflare codecov confluence copilot cypress datadog debian discord dynamodb express figma firebase firefox
    flutter gcp gke golang hasura helm heroku influxdb intellij ios java jenkins jira julia keycloak kotlin linear
    netlify nextauth.js node notion okta oracle postman pycharm rails react ruby rust safari scala sendgrid sentry
    shopify slack snowflake sonarqube spark splunk spring starlette storybook stripe swift trello twilio vue
    webstorm windows wordpress yarn zed zig
    """
) | {
    "cloudflare workers",
    "docker compose",
    "github actions",
    "gitlab ci",
    "react native",
    "spring boot",
    "stripe billing",
    "stripe cli",
    "tailwind css",
    "tortoise orm",
    "visual studio",
    "vs code",
}
# Languages that the model was not trained on are told by their small words.
SMALL_WORDS = {
    "en": _words(
        """
        and are be for i in is it my not of on our that the this to use we with you
        """
    ),
    "de": _words(
        """
        ab auf aus bei bitte das dem den der des die du ein eine einen für heißt ich im immer ist kein keine mein
        meine mit nein nicht nie oder sind statt und unser unsere von wir wird zu
        """
    ),
    "es": _words(
        """
        al como con de del el en es está la las lo los mi más nuestra nuestro nunca o para pero por prefiero que se
        siempre son un una usa uso y
        """
    ),
}
# In a language that writes nouns with a capital, only these words introduce a name.
NAME_INTRODUCERS = _words(
    """
    bei chef chefin firma frau freund freundin heiße heißen heißt herr herrn kollege kollegen kollegin kunde kunden
    kundin lead namens team
    """
)
# The reference's list, and the legal forms of Spain, Italy, France, the Netherlands and Scandinavia.
COMPANY_WORDS = _words(
    """
    ag bv co company corp corporation gmbh group holdings inc incorporated kg limited llc llp ltd nv oy plc pty sa sarl
    sl slu srl
    """
)
# Only what is a domain in practice: "main.py" and "lib.so" are files, "v1.2" is a version.
TOP_LEVEL_DOMAINS = _words(
    """
    ai app at au be biz br ca ch cloud co com de dev dk edu es eu fi fr gg gov ie in info io it jp kr me mx net nl no nz
    org pt ru se tech tv uk us xyz
    """
)
SECOND_LEVEL_DOMAINS = _words("ac co com edu gov net org")
# Names that are everyday words too: they count only with a capital that no beginning of a sentence explains.
EVERYDAY_NAMES = _words(
    """
    april art august bill chase drew express faith frank go grace grant hope ice it joy june linear mark may node notion
    pat ray rich rob rose rust sentry slack spark spring stripe sue summer swift target us who will windows word yarn
    """
)
# Words that two statements may differ in and still say the same.
LIGHT_WORDS = _words(
    """
    a an the of for in on at and as is are am be been i we you my our your me us it its this that these there here
    please just also really actually basically currently now then so well ok okay always every each let lets
    do does directly

    der die das den dem des ein eine einen einem einer ist sind bin sein mein meine meinen meiner unser unsere ich wir
    mir uns bitte auch eben doch und für im am an auf immer jetzt heißt

    el la los las un una unos unas de del es son soy mi mis nuestro nuestra yo nosotros nos y en para siempre ahora
    """
)
# With one of these about, words that change places change the meaning.
RELATIONS = _words(
    """
    from to over under than before after into onto by with without not unless until if when while vs above below
    von nach vor über unter als bevor nachdem wenn ohne mit zu
    desde hasta a antes después sobre bajo que si cuando con sin
    """
)
