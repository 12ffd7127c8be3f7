"""English word lists: what makes a value look lasting, and what gives a passing state away."""

WORDS = {
    # Nouns whose value is a datum by itself: "the port is …", "my editor is …".
    "attribute": """name nickname port endpoint url uri host hostname domain subdomain address ip email mail database db schema editor ide shell terminal
        os distro branch version framework library language stack timezone zone team manager boss lead deadline budget region bucket
        namespace registry queue broker provider environment env repo repository linter formatter compiler bundler runtime ci license
        licence theme font keyboard layout birthday pronouns username handle role title job company employer client city country
        hometown currency unit format limit timeout interval indentation indent style convention standard strategy workflow
        architecture orm dialect driver protocol prefix suffix id tag channel codename owner maintainer contact reviewer schedule cadence
        date path directory folder root platform target device machine laptop phone hosting backend frontend auth tool tooling
        tracker wiki dashboard retention encoding locale spelling mascot pet cat dog browser os distribution cto ceo founder mentor
        milestone quarter sprint freeze window window slot project_id account tenant workspace subnet cluster zone
        color colour palette shortcut leader alias command script file config threshold quota sla rate length width size header
        engine model vendor dependency manager package package-manager bot intern teammate colleague partner wife husband daughter son
        background degree university school major nationality expertise speciality specialty experience level os setup hobby
        time day standup stand-up retro meeting-time webhook secret variable pattern palette separator delimiter quotes extension
        bundle hypervisor distro proxy gateway cdn cron crontab datastore warehouse lake lakehouse uplink ticketing chat messenger
        pipeline deployment monitoring logging observability tests hub forge vcs scm designer pm""",
    # Nouns that stand for a component: a bare lower-case value may name it.
    "thing": """cli sdk daemon agent extension plugin library environments server database api backend frontend service app application site website cluster cache queue broker bus store storage
        datastore search gateway proxy cdn monorepo repo repository codebase project product platform infra infrastructure environment
        staging production prod dev stack system pipeline ci cd deployment hosting auth authentication monitoring logging crm cms erp
        vpn wiki tracker dashboard box nas machine laptop runner worker scheduler orchestrator toolchain bundler testing tests docs
        documentation tool tooling client""",
    # Nouns that may only carry a value when qualified ("the build command is …").
    "code": """function functions method methods class classes variable variables file files test line lines loop query page button form component field
        column row request response output input result results value values string array list dict object message log logs diff patch pr commit
        snippet logic condition parameter argument element div modal header footer text word image icon link step steps task ticket
        change changes build deploy run script command process thread call import type interface user users part section
        example case cases meeting memory cpu latency coverage load usage performance count total sum stacktrace trace screen view
        template block comment comments helper helpers util utils wrapper constant enum fixture mock stub hook handler docstring typo refactor feature screenshot table item items key size counter number print
        statement returntype exception cursor popup dropdown tooltip menu tab label title color colour padding margin font
        width height animation layout sidebar navbar background""",
    # Nouns that never head a fact.
    "vague": """thing things problem problems issue issues bug bugs error errors question questions idea ideas point reason reasons answer solution difference
        way cause trick rest fact plan goal aim next first last second third one ones other others following above below former
        latter same lot bit kind sort mess pain disaster joke nightmare challenge bottleneck case matter concern mistake failure shame
        fix workaround culprit warning suspicion guess feeling hunch impression thought assumption hypothesis suggestion worry
        hope wish dream stuff everything nothing something anything it mind opinion catch downside upside benefit advantage weather moment pity""",
    # First words of a passing state.
    "passing": """behind ahead frozen cracked hung slowish noisy out live well amazing delicious awesome wonderful not n't never no too so very quite pretty rather really fairly kind sort broken down up slow slower fast faster stuck done
        wrong right correct incorrect ready missing empty full fine good great bad better best worse worst ok okay nice weird strange odd
        important unclear clear red green flaky unstable stable failing dead alive late early soon busy idle free taken open closed blocked
        blank null none undefined nil huge big small tiny large long short messy clean dirty ugly hard easy difficult simple complex complicated
        confusing annoying impossible possible necessary needed unnecessary obsolete stale fresh old new outdated deprecated unused
        useless useful noisy quiet hot cold heavy light loud expensive cheap safe unsafe risky dangerous cool awesome terrible awful perfect
        horrible happy sad tired lost confused sure unsure able unable afraid glad sorry interesting boring tight loose close near far
        back gone there here mostly almost nearly about always still already just only being going getting making taking causing due-to that
        because what why how where who when if whether like such same different similar unavailable unreachable offline online corrupt
        corrupted locked hidden visible invisible invalid valid unknown known pending merged pushed finished complete completed incomplete
        over finally probably maybe perhaps likely actually currently it them this these those mine yours ours theirs his hers
        me him her us you everywhere somewhere nowhere crashed hanging hung leaking exposed disabled enabled required optional
        responsible worth supposed based-on hungry sick mad crazy insane nuts strict lax true false real fake okay-ish overkill bloated
        working running more less enough plenty most many few several lots loads some any each both all half part at-risk on-fire to mixed
        impacted affected overloaded saturated laggy sluggish responsive buggy""",
    # Values after "in", "on", "at" that name no place.
    "idle": """progress trouble place sync order use time fire charge there here half general fact doubt question hold it them
        this that these those line the-way a-mess risk least most all once first last pause track top strike vacation holiday""",
    # Words that cannot open a subject.
    "function": """i we you he she it they this that these those there here what which who whom whose why how when where if whether because
        since although though unless until while as so but and or nor not no yes is are was were am be been being do does did has have
        had can could will would shall should may might must let let's lets please maybe perhaps probably a an some any another other
        his her their your its someone somebody anyone anybody everyone everybody nobody none nothing something anything everything
        one ones both either neither such very too just only even still then than also again now here's there's it's that's what's i'm
        i'll we'll you'll it'll they'll he'll she'll i'd we'd you'd i've we've you've they've who's we're you're they're he's she's don't doesn't didn't isn't aren't wasn't won't can't couldn't wouldn't shouldn't in on at by for
        with without from of about into over under after before between during through against like up down out off never always
        sometimes often usually today yesterday tomorrow thanks thank hi hello hey ok okay sure make see think know hope guess sorry
        instead otherwise however therefore meanwhile except despite regarding per once whatever whenever wherever whoever more most
        much many few less least several all-in ensure verify check confirm assuming supposing considering given provided assume suppose imagine say tell ask show give explain""",
    "subordinate": "must should shall would could might have has had say claim claims states mention mentions suggests suggest report reports recommends if whether what how why because when while until unless said says think thinks told where is are was were than",
    "determiner": "the our my all each every both",
    "article": "a an the our my",
    "preposition": """in on at under from by with for via to inside into of near around through within outside called named based located
        hosted using written built deployed stored owned maintained managed due set kept served backed powered handled configured
        hooked licensed published sent versioned""",
    "split": "of for in on at to from with behind that which we i you by under used about when",
    "pronoun": """it this that them these those him her us you me he she they something anything nothing everything one ones both either neither none
        which what how why where when who whatever your his their its here there such""",
    "vague_article": "the this that these those my your his her their its",
    "number": "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred",
    "calendar": """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january
        february march april june july august september october november december weekly daily nightly monthly hourly yearly quarterly
        tomorrow noon midnight every twice biweekly fortnightly continuously weekends weekdays hour hours minute minutes second seconds day days week weeks month months year years""",
    "snippet": """loop loops variable flag regex function helper hack workaround counter mutex dict list map set for-loop while-loop while for string
        lambda hook callback class method lock timer breakpoint debugger print print-statement console.log test file query temp
        similar different new simple single custom try-catch few lot bunch couple""",
    "project": """app project repo repository service server api codebase branch build database endpoint site website cluster backend frontend
        deployment pipeline team company tests code package library module product client customer""",
    "role": """engineer developer designer manager lead student researcher scientist analyst consultant freelancer admin sysadmin architect
        writer founder cofounder co-founder cto ceo vp teacher beginner programmer coder maintainer contributor owner tester sre pm intern professor
        physicist mathematician statistician person user dev devops contractor newbie noob novice expert director specialist technician
        operator hobbyist hacker artist musician doctor nurse lawyer accountant journalist editor translator librarian team squad
        group guild crew phd postdoc graduate undergrad sophomore junior senior dba dpo qa sdet mle data-scientist half""",
    "not_role": "bit little lot tad fan big huge idiot mess sucker fool one good bad great happy confused lost further other better",
    "decide": """use adopt go switch move migrate keep stay stick drop host deploy build write store run replace target support standardise
        standardize rename split ship name call postpone rewrite release sunset deprecate require allow ban limit stop put push delay not
        version tag merge squash rebase buy self-host open-source outsource cache log remove avoid freeze raise lower increase reduce
        charge offer launch port upgrade downgrade prefix rely base consolidate centralise centralize separate partition shard""",
    "no_verb_ends": "s ed ing ly ful ous able ible ive al ic y er est",
    "no_verb": "heard seen been had got gone done made known felt left lost met paid read said sent thought told took went won wrong clear sure quite ever yet once again",
    "to_do": "to",
    "later": "tomorrow",
    "momentary": "now today yet later tonight",
    "deliberating": "decide discuss say think wait guess speculate postpone",
    "demand": "want need expect prefer would'd like",
    "codebase_nouns": "code codebase tests methods functions",
    "happening": """get see have fail forget end need want know think find lose crash break hear feel look seem appear happen be mean
        remember wonder""",
    "state": "compatible idempotent unique private immutable deterministic stateless lowercase uppercase optional encrypted pure signed typed documented reviewed",
    "closed": """closed opened open reported assigned created merged pushed deployed released fixed solved resolved unclear unknown never still
        already gone reverted mine hard easy small big rejected good great tracked filed discussed raised marked duplicated""",
    "branchy": "branch main master develop head trunk",
    "not_gerund": "nothing something anything everything thing string spring king during morning evening building ring",
    "single": """ci cd ci/cd auth authentication authorization hosting dns caching deployment deployments monitoring logging payments billing
        error-tracking tracking email search analytics messaging queueing chat version-control source-control bundling linting formatting
        packaging migrations orchestration database editor shell""",
    "carry": "i we",
    "self": "i i'm i've i'd my call people everyone",
    "habitual": "when whenever for",
    "negation": "not",
    "lodging": "lives live moved",
    "workplace_of_us": "startup company team shop agency studio nonprofit business consultancy lab group collective isv saas",
    "secret": "password passwords secret secrets token tokens passphrase pin key api-key",
    "person": """coworker co-worker colleague friend boss manager wife husband partner teammate brother sister son daughter dad mom mother father intern
        roommate neighbour neighbor customer client user guy girl kid buddy mentor teacher supervisor predecessor everybody people others""",
    "port": "port",
    "dwelling": "lives live sits sit resides reside reachable available",
    "all": "all everything",
    "the_slot": "the",
    "employing": "at for by joined with",
    "this": "this",
    "taste": "favourite favorite preferred preference preferences",
    "mine": "my our",
    "ours": "our my",
    "the": "the",
    "set_by_hand": "default defaults preferred official minimum maximum min max",
    "i": "i",
    "we": "we",
    "you": "you your",
    "to": "to",
    "that_way": "that against",
    "the_deictic": "the this that these those your his her their",
    "act_on_this": "this that these those it them",
    "lasting_verbs": "use prefer avoid follow stick keep write put name",
    "generic": "all every each any no only new",
    "must": "must",
    "can": "may can",
    "no": "no only",
    "be": "be",
    "have_been": "been",
    "determiner_the": "the our my",
    "cure_articles": "the your a an",
    "cured": "fixed solved resolved cured unblocked eliminated",
    "restating": "meant correction misspoke say edit",
    "role_ends": "eer smith ologist",
    "adjective_ends": "able ible ful less ous ive ish ly ed ing",
    "participle_ends": "ed en wn ilt un et ut pt nt ade old",
    "gerund_ends": "ing",
    "clause_opening_ends": "when if you",
    "stop": """a an the not to use using have having my our it when if you that of for with some any all your be see write only ever in on at
        writing keep keeping working work get""",
    "verbs": """live use run write add commit push pull merge rebase squash deploy test lint format check ask review keep put make do create delete remove
        edit modify change touch import export log print store hardcode hard-code expose return throw raise catch wrap name prefix suffix
        document comment explain show give include mention tell confirm verify validate sanitize sanitise escape quote sign tag bump pin
        update upgrade install start begin end finish close open read respond answer reply speak talk call assume guess suggest propose
        offer mock stub skip disable enable ignore force force-push amend reset revert back save backup cache share send leave let set get
        pass parse prefer choose pick follow avoid respect treat handle generate build compile ship release publish rely depend mix nest
        combine split break inline refactor rename move copy sort order align indent declare define type annotate cast convert encrypt
        hash rotate approve request require wait notify schedule link reference cite translate place group separate restart stop kill drop
        truncate migrate query select join index lock seed clean clear trust accept allow permit block deny limit paginate throttle retry
        fail exit capture record track measure benchmark profile monitor debug consider think remember forget look search find work go stay
        try provide specify state list describe summarise summarize apply implement introduce design plan target support serve bind mount
        host connect fetch load upload download render display hide style have be stick double-check cover squash-merge cherry-pick
        proofread spell capitalise capitalize lowercase uppercase autoformat typecheck type-check bundle minify memoize memoise inject
        instantiate subclass inherit extend override mutate swallow suppress redact mask anonymise anonymize obfuscate transpile
        vendor bypass disclose paste embed abbreviate interrupt overwrite rewrite duplicate repeat reuse re-use recreate regenerate
        interpolate concatenate authenticate authorise authorize escalate page alert assign reassign attach detach emit dispatch subscribe
        prompt round truncate document sleep block poll hard-wrap wrap guard assert leak reformat reorder restructure rebuild rerun re-run backport hotfix bill cancel dump eval evaluate exceed exclude execute
        expand extract flatten flush fork freeze hoist inspect invoke iterate launch manage match normalise normalize obey omit optimise optimize overload
        own pad patch persist preserve propagate protect prune purge quit quarantine randomise randomize recover reduce refer refresh refuse register reject reload
        replace replicate resolve restore restrict resume retain reverse roll rollback sandbox scan scope scrub secure serialise serialize shadow shorten simplify
        simulate snapshot stage standardise standardize stash stream strip sync terminate trace transform trigger trim uninstall unit-test unpack unwrap
        vary warn whitelist allowlist wire zip emulate underline italicise bold number indent cite credit favour favor favour assert guard cd sudo chmod curl""",
}

# A policy's verb, as canonical keys name it.
ACTIONS = {"use": "use", "using": "use", "do": "do", "make": "make", "keep": "keep", "write": "write"}
