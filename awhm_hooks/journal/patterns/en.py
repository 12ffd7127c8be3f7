"""How English says it. Sources are matched against folded text (lower case, straight apostrophes), at a clause's start.

Named groups: `s` the slot or subject, `v` its value, `o` what a preference or policy is about, `a` the policy's verb,
`old` a former value, `w` who. `<NAME>` stands for the fragment of that name.
"""

from awhm_hooks.journal.patterns.en_frame import FRAME, LATE
from awhm_hooks.journal.patterns.en_words import ACTIONS, WORDS
from awhm_hooks.journal.patterns.languages import Group, Language, Rule

_FRAGMENTS = {
    "GAP": r"[\s,:;.!–—-]*",
    "W": r"[^\s,;:()!?]+",
    "S": r"(?P<s><W>(?: <W>){0,7}?)",
    "V": r"(?P<v>\S.*)",
    "O": r"(?P<o>\S.*)",
    "WE": r"(?:we|our (?:team|company|org|squad|group)|the (?:whole |entire )?team|my team|my company|everyone)",
    "DOING": (
        r"deploy|host|ship|release|store|keep|run|build|develop|target|support|require|follow|practi[cs]e|write|test|version|tag|track|"
        r"manage|organi[sz]e|prefix|format|lint|monitor|bill|charge|cache|serve|document|communicate|merge|squash|rebase|review|speak|"
        r"authenticate|log|sell|operate|measure|plan|estimate|maintain|own|train"
    ),
    "HAVE": r"(?:'ve|'d| have| has| had)?",
    "ADV": r"(?:(?:\w+ly|now|also|still|just|only|already|then|since|all|both|always|much|very|do) ){0,3}",
    "TO": r"(?:to|onto|over to|into|in favou?r of)",
    "PLACE": (
        r"(?:project|repo|repository|codebase|code base|service|app|application|package|library|team|company|product|site|"
        r"website|monorepo|workspace|plugin|organi[sz]ation|org|module)"
    ),
    "NEVER": r"(?:always|never,? ever|never|don't ever|do not ever|dont ever|under no circumstances)",
    "LED": "prefer|use|using|like|always|never|usually|chose|chosen|picked|decided|went|gone|going|settled|only|rely|depend|host|deploy|run|store|keep|write|build|test",
    "MONTH": r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*",
    "DAY": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
}

# Facts about the person.
_PERSON = {
    "called": r"(?:(?:you can |please |just |people |everyone |my friends )?calls? me|i(?:'m| am) called|i go by) <V>",
    "i_am": r"i(?:'m| am) (?P<v>[^\W\d_][\w'-]+(?: [^\W\d_][\w'-]+)?)(?=$|, (?:the|an?|your|from|and)\b| from\b)",
    "live": r"i(?:'m| am)? <ADV>(?:live|living|based|located|reside) (?:in|near|at|out of) <V>",
    "moving_home": (
        r"i(?:'ve| have)? <ADV>(?:moved|relocated)(?: house| home)?(?: from (?P<old><W>(?: <W>){0,2}?))?"
        r"(?: back| over)? to <V>"
    ),
    "work_at": r"i(?:'ve|'m| am)? <ADV>(?:(?:work|working|employed|started working|started a new job|contracting) (?:at|for|with|by)|(?P<joined>joined)) <V>",
    "work_on": r"i <ADV>(?:work|study|teach|freelance) (?:on|in|as|from|remotely|at|night|part-time|full-time)\b ?<V>?",
    "role": r"(?:i(?:'m| am)) <ADV>(?:an?|the|part of|(?P<on>on)) <V>",
    "zone": r"i(?:'m| am) <ADV>(?:in|on) (?:the )?(?P<v>(?:\S+ ){0,3}?(?:time ?zone|utc|gmt|cet|cest|est|pst|edt|pdt|bst|ist|jst)\b.*)",
    "machine": (
        r"i(?:'m| am)? <ADV>(?:on|running|run|develop on|work on|using|use) (?:an? |my )?"
        r"(?P<v>(?:macos|mac|windows|linux|ubuntu|debian|fedora|arch|nixos|manjaro|wsl|freebsd|apple silicon|m[1-4]\b|macbook|thinkpad|"
        r"chromebook|popos|mint)\b.*)"
    ),
    "speak": r"i <ADV>(?:speak|know|code in|program in|come from|am from|graduated from|study|report to) <V>",
    "habit": r"i <ADV>(?:tend to |like to )(?:use|write|go with|reach for|keep|put|run|commit|work|start|name|format|have|split|see) <O>",
    "i_always": (
        r"i(?:'ve| have)? (?:almost |nearly |pretty much )?(?:always|never)(?: ever)? (?:use|write|go with|reach for|name|format|keep|put|commit|work with|"
        r"code in|develop|squash|rebase|run|indent|start|add|test|deploy|prefer|want) <O>|"
        r"i (?:almost |nearly |pretty much )?(?:always|never|usually) (?P<o2>(?:(?:squash|force|fast|self|cherry|auto|soft|hard|dry)-\w+|squash|rebase|lint)(?: \S.*)?)$"
    ),
    "in_charge": r"i <ADV>(?:own|maintain|lead|manage(?! to)|run(?= the)|am responsible for|am in charge of|look after) <V>|i'm (?:responsible for|in charge of) (?P<v2>\S.*)",
    "comfortable": r"i(?:'m| am) (?:much |a lot |way )?(?:more comfortable|happier|more productive|most comfortable|most productive) (?:with|in|using|writing) <O>",
    "would_prefer": r"i(?:'d| would) <ADV>(?:prefer|rather (?:use|have|write|go with))(?: to (?:use|have|see)| using)? (?P<o>\S.* (?:over|instead of|rather than|than) .*)",
    "person": r"i(?:'m| am) (?:more of )?an? (?P<v>\S+(?: \S+){0,3}? (?:person|guy|gal|girl|user|fan|enthusiast|purist|minimalist))\b",
    "favourite": r"my (?:\S+ ){0,2}?(?:all-time )?favou?rite (?P<s>\S.{0,50}?) (?:is|are) <V>",
}
# Preferences.
_TASTE = {
    "like_when": r"(?:i|we) <ADV>(?:like|love|hate|prefer|enjoy|appreciate) it (?:when|if) <O>",
    "like": r"(?:i|we)(?: <ADV>(?:like|love|enjoy|appreciate|hate|dislike|despise|detest|loathe|can't stand|cannot stand|don't like|do not like)|(?:'m| am) (?:not )?an? (?:big |huge )?fan of) (?:to (?:use |have |see |keep )?|using |having |writing )?<O>",
    "like_more": r"(?:i|we) <ADV>(?:like|enjoy|love) (?P<o>\S.{0,60}?) (?:better|more)(?: than .*|$)",
    "prefer": (
        r"(?P<w>i|<WE>) <ADV>(?:prefers?|favou?rs?)(?: (?:to (?:use|have|see|work (?:with|in)|keep|write|get|be)|using|having|writing|it when|it if|"
        r"that you|if you|when you))? <O>"
    ),
    "preference": r"(?:my|our) (?:\S+ )?preference(?: for \S+(?: \S+)?)? is (?:for |to use |to have |to |using )?<O>",
    "prefer_it": r"(?:please )?prefer (?:to use |using )?<O>",
}
# Policies.
_POLICY = {
    "never": (
        r"(?:please |pls |and |but |you (?:should |must |have to |need to |can |may |are to )|i (?:want|need|expect) you to |i'd like you to |we should |"
        r"we must |let's |lets |ensure (?:that )?(?:you|we) |(?:please )?(?:make|be) (?:absolutely )?(?:sure|certain) (?:to |you |that you |that we |we )|remember to |try to )*"
        r"<NEVER> (?:please )?(?P<a><W>)(?: <O>)?$"
    ),
    "we_never": r"<WE>(?:'ll| will| should| must| do)? (?:always|never|never ever|don't ever) (?P<a><W>)(?: <O>)?$",
    "must_not": r"you (?:must|may|should|can) (?:always|never|not|only) (?P<a><W>)(?: <O>)?$",
    "must": (
        r"(?P<s>(?:(?:all|every|each|any|no|only|our|the|new) )?<W>(?: <W>){0,6}?) (?P<m>must|has to|have to|need to|needs to|should|shall|may|can)"
        r"(?P<n> always| never| not| only)? (?P<a><W>)(?: <O>)?$"
    ),
    "allowed": (
        r"<S> (?:is|are) (?:strictly |absolutely |always |never |generally )?(?P<v>(?:not allowed|never allowed|forbidden|banned|prohibited|mandatory|off[- ]limits|not permitted|"
        r"disallowed|required (?:for|before|on|in) (?:all|every|each|any|new|merging)).*)"
    ),
    "convention": (
        r"(?:our|the|a|my|one)(?: <W>){0,3}? (?:policy|rule|convention|guideline|standard practice|practice|style rule)(?: here| on this team| for \S+(?: \S+)?)? "
        r"(?:is|are)(?: that| to)? <O>|it(?:'s| is) (?:our|a|company|team) (?:policy|rule|convention|standard practice)(?: that| to)? (?P<o2>.+)|"
        r"we have an? (?:\S+ )?(?:policy|rule|convention)(?: that| of| to| about|:) (?P<o3>.+)"
    ),
    "ask_first": r"(?:please )?(?:always )?(?:ask|check with|confirm with|consult|check in with)(?: me| us)?(?: first)? before <O>",
    "no_without": r"no (?!luck|idea|way|problem|success|progress|results?|effect|errors?|doubt|one)<O> without <W>.*",
    "without": r"(?:please )?(?:don't|do not|dont) (?P<a><W>) (?P<o>\S.* without (?:asking|checking|my|our|approval|permission|a review|review|explicit|an? ).*)",
    "do_it": r"(?:please |pls |you (?:should |must |can )|we(?:'ll| will| should)? |i(?:'ll| will)? |let's |i want you to )?(?P<not>don't |do not |dont |avoid |stop )?(?P<a><W>)(?: <O>)?$",
    "from_now": (
        r"(?:please )?(?P<not>don't |do not |dont |avoid |stop )?(?P<a><W>) (?P<o>\S.*(?:from now on|going forward|from here on|henceforth|in the future|"
        r"at all times|every single time|before (?:every|each|any) (?:commit|push|merge|pr|pull request|deploy|release)|"
        r"(?:after|on|for) (?:every|each) (?:commit|push|merge|pr|pull request|deploy|release|change|new feature|bug ?fix)|(?:every|each) time you .*).*)"
    ),
    "in_project": (
        r"(?:please )?(?P<not>don't |do not |dont |avoid |stop )?(?P<a>use|using|write|writing|prefer|keep|put|name|follow|format|commit|push|add|adding|avoid|stick)(?: to)? "
        r"(?P<o>(?!the |this |that |it |these |those |my |an? )\S.* (?:(?:in|across|throughout) (?:this|our|the(?: whole| entire)?|all(?: of)? our|any of our) (?:<W> )?(?:<PLACE>s?)|everywhere|by default|across the board|for everything|for (?:all|every|any|each) \S.*))\W*$"
    ),
    "dont": r"(?:please )?(?:don't|do not|dont) (?P<a><W>) <O>",
    "needs": r"(?P<s>(?:all|every|each|any|no)(?: <W>){1,6}?) (?:needs?|requires?|gets?) (?!to\b)<O>",
}
# Facts about the work: what "we" do, and changes to it.
_WORK = {
    "no_longer": (
        r"(?:<WE>|i)(?:'re| are|'m| am)?(?: (?:no longer|stopped|don't|do not|have stopped)|'ve stopped) (?P<a>use|using|deploy|deploying|run|running|support|supporting|host|hosting|ship|"
        r"shipping|rely|target|targeting|maintain|maintaining|need|have|work|write|build|building|store|storing|live)(?: on| with| at| to| in)? "
        r"(?P<old><W>(?: <W>){0,6}?)(?P<more> any ?more| any longer)?"
        r"(?:[,;.]? (?:-+|–|—)? ?(?:but |and |now |instead )*(?:(?:we|i)(?:'re| are)? )?(?:now )?(?:use|using|run|deploy)(?: on| to)? (?P<v>.+))?$"
    ),
    "decision": r"(?:the |our |final )*decision (?:is|was)(?: made)?(?: to| that| on|:)? <V>",
    "labelled": r"(?:final |team |architecture |design )*decision(?: made)?\s*[:–—-]+ <V>",
    "as_our": (
        r"(?:(?P<w><WE>|i)<HAVE>(?:'re| are|'m| am)? <ADV>(?:use|uses|using|run|chose|picked|have|switched to|moved to|migrated to|decided on|"
        r"settled on|going with)) (?P<v>\S.{0,60}?) (?:as (?=our |my |the |an? )|(?P<for>for) )"
        r"(?P<s>(?:<W> ){0,4}?<W>)(?= in | on | at | since | because | instead |[,;]|$)"
    ),
    "moved": (
        r"(?:(?:(?P<w><WE>|i)<HAVE>|(?P<bare>(?=switched|migrated|moved|upgraded))) ?<ADV>(?:(?:been )?(?:moved|switched|migrated|transitioned|converted|upgraded|downgraded|changed|"
        r"pivoted|shifted|standardi[sz]ed|ported|bumped|updated|raised|lowered|increased|reduced|extended|pushed|postponed|rescheduled|set|"
        r"pinned|relocated|transferred|renamed|rebranded)|(?:are|am) (?:moving|switching|migrating|upgrading))(?: (?P<s>(?!from\b|to\b|over\b|away\b|back\b)<W>(?: <W>){0,6}?))?"
        r"(?: over| away| back)?(?: from (?P<old>\S.{0,60}?))? (?:<TO>|at|as) <V>)"
    ),
    "moving": (
        r"(?P<w>we|i)(?:'re| are|'m| am) <ADV>(?:moving|switching|migrating|upgrading|transitioning|porting)(?: (?P<s>(?!from\b|to\b|over\b|away\b|back\b)<W>(?: <W>){0,6}?))?"
        r"(?: over| away)?(?: from (?P<old>\S.{0,60}?))? <TO> <V>"
    ),
    "we_are": r"we(?:'re| are) <ADV>an? <V>",
    "away": r"<WE>(?:<HAVE>|'re| are) <ADV>(?:moved|migrated|switched|shifted|stepped|moving|migrating|switching) (?:away from|off(?: of)?) <V>",
    "replaced": r"(?:(?P<w><WE>|i)<HAVE>|(?:we|i)(?:'re| are|'m| am)) <ADV>(?:replaced|replacing|swapped|swapping)(?: out)? (?P<old>\S.{0,60}?) (?:with|by|for) <V>",
    "dropped": r"(?P<w><WE>|i)(?:<HAVE>|'re| are) <ADV>(?:dropped|deprecated|abandoned|ditched|retired|discontinued|sunset|dropping|deprecating|retiring)(?: support for)? <V>",
    "will": r"(?P<w>we)(?:'ll| will|'re going to| are going to) (?:be using|use|go with|stick with|adopt|be on|standardi[sz]e on|move to|switch to|migrate to) <V>",
    "use": (
        r"(?P<w><WE>|i)(?:'re| are|'m| am)? <ADV>(?:use|uses|utili[sz]e|using|run on|runs on|rely on|depend on|standardi[sz]e on|going with|"
        r"sticking with|staying (?:with|on)|adopting|standardi[sz]ing on|targeting|building (?:on|with)|deploying (?:to|on|with)|hosting (?:on|with)|"
        r"running on|betting on|(?P<plus>on)) <V>"
    ),
    "do": r"(?P<w><WE>) <ADV>(?:<DOING>)(?:e?s)? (?!(?:is|are|was|into|out|this|it|up|over|through)\b)<V>",
    "will_not": r"we(?: will not| won't|'re not going to| are not going to) (?:be )?(?:use|using|support|supporting|adopt|adopting|migrate to|maintain|ship|host) <V>",
    "have": r"we(?:'ve got| have got| have) (?P<v>(?:an?|\d+|two|three|four|five|six|seven|eight|nine|ten|only one) \S.*)",
    "decided": (
        r"(?:(?P<w><WE>|i|it)(?:<HAVE>|'s|'s been| was| has been)) <ADV>(?:decided|agreed|chosen|chose|opted|settled(?= on\b)|picked|adopted|(?:went|gone)(?= with\b)|elected|landed(?= on\b)|"
        r"committed to|standardi[sz]ed|converged|signed off|ended up(?= (?:using|with|going with)\b))(?: (?P<how>on|for|with|to|that|upon|against|in favou?r of|using|going with))? <V>"
    ),
}
# Outcomes.
_OUTCOME = {
    "worked": (
        r"(?:and |but |so |great,? |yes,? |yay,? )?(?:that|this|it|which|both|everything|(?:that|this) (?:approach|change|fix|patch|workaround|solution|"
        r"trick|suggestion|attempt|migration|deploy|deployment)|your (?:fix|change|patch|suggestion|solution|workaround)(?! broke| failed)|"
        r"(?:(?:the|our|my) (?:\S+ ){0,2}?)?(?:fix|change|patch|workaround|solution|approach|migration|release|rollout|rollback|upgrade|deploy|deployment|attempt|"
        r"import|backfill|restore|cutover|experiment|refactor|hotfix|install|installation|downgrade|revert))(?: all| finally| actually| just| really| still| indeed| definitely)? "
        r"(?:worked|failed|succeeded|broke(?: everything| the build| ci| prod\w*| it)?|passed|did the trick|did it|didn't work|did not work|doesn't work|didn't help|(?:didn't|did not) (?:fix|solve|resolve|change|make|do) .*|"
        r"did not help|helped(?=\W*$|,| a lot)|went (?:fine|well|smoothly|through|wrong|through fine)|(?:fixed|solved|resolved|sorted|cured|unblocked) .+|works now|work now|made (?:it|things) worse|made no difference)"
        r"(?=[\s,.!:;–—-]|$)(?! (?:yesterday|before|until|last|previously|locally|earlier|when|if|fine|on my|for (?:him|her|them)|as)\b).*"
    ),
    "works_now": r"(?:(?:it|that|this|everything|all) )?(?:(?:finally|now) works|works (?:now|again|perfectly now|like a charm|as expected now)|(?:is|are|'s) (?:finally )?(?:fixed|solved|resolved|working)(?: now| again)?)\W*$",
    "fixed": r"(?:(?:i|we)(?:'ve| have)? )?(?:finally |just |now )?(?:fixed|solved|resolved)(?:(?: it| that| this)?(?: now)?\W*$|(?P<o> .{1,60}? (?:by|with|after|via|through) \S.*| by .*))",
    "tests_pass": r"(?:now )?(?:all|the|all the|our)? ?(?:\d+ )?(?:unit |integration |e2e )?tests (?:(?:now |all )*(?:pass|passed|are passing|are green|are all green)(?: now| again)?)\W*$",
    "turned_out": r"(?:and |so |but )?(?:(?:it|this|that|the \S+(?: \S+)?) )?turn(?:s|ed) out(?: that| to be| it's| it was|,)? <V>",
    "cause": (
        r"(?:the|our|its)(?: (?:real|actual|final|root|underlying|only|main|true|right|correct|proper|working))? (?:fix|solution|cause|root cause|culprit|reason|workaround|trick|problem|issue|bug|failure|"
        r"outage|leak|crash|regression|hang|slowdown)(?: (?:for|of|behind|with|in) .{1,50}?)? (?:was|turned out to be|came from|were|comes from)(?: that| to| to be|,)? <V>"
    ),
    "culprit": r"(?:the|our) (?:root cause|culprit|actual cause|underlying cause)(?: (?:of|for|behind) .{1,40}?)? is(?: that)? <V>",
    "root_cause": r"(?:root cause|the fix|workaround|resolution|culprit|outcome|lesson(?: learned)?)\s*[:–—-]+ <V>",
    "by_doing": (
        r"(?P<s>(?:\w+ing|the|your|a|an|downgrad\w+|upgrad\w+)\b(?: <W>){0,9}?) (?:finally |completely |also |actually )?(?P<a>fixed|solved|resolved|cured|unblocked|eliminated|did the trick|"
        r"helped(?! (?:me|us|him|her|them|my|our)\b)|didn't help|did not help|worked|didn't work|did not work|broke|made no difference|made it worse|failed|cut)\b ?<V>?"
    ),
}
# Facts about things: "X is Y".
_STATE = {
    "was_now": (
        r"<S> (?:was|were|used to be|isn't|aren't|is not|are not|is no longer|are no longer) (?P<old>[^,;]{1,60}?)(?: any ?more| any longer)?[,;]? (?:(?:-+|–|—|and|but) )*"
        r"(?:(?:it|they|that)(?:'s| is|'re| are)(?: now)?|now (?:it's|it is|they are|is)|is now|has moved to|moved to|changed to|we moved it to|"
        r"->|=>|→|but) <V>"
    ),
    "shifted": (
        r"<S>(?: has| have|'s)?(?: been| was| were| is| are)?(?: now)? (?:moved|changed|switched|migrated|renamed|relocated|updated|bumped|upgraded|"
        r"pushed(?: back)?|went(?= from)|postponed|delayed|rescheduled|extended|raised|lowered|increased|reduced|shifted|transferred|moving|switching|migrating|"
        r"rebranded)(?: over| back)?(?: from (?P<old>\S.{0,60}?))? (?:<TO>|until|as|by) <V>"
    ),
    "no_more": r"<S> (?:is|are) no longer <V>",
    "runs": (
        r"<S> <ADV>(?:runs?|listens?|lives?|sits?|resides?|is hosted|are hosted|is deployed|are deployed|is running|is listening|is served|is reachable|"
        r"is available|is exposed) (?P<p>on|at|in|under|behind|from|to|with|via) <V>"
    ),
    "named": r"<S> (?:is|are|was) (?:now )?(?:called|named|codenamed|known as|nicknamed) <V>",
    "fact": (
        r"<S>(?: is| are|'s(?= (?:called|named|now)))(?: (?:now|currently|actually|still|just|simply|officially|also|only|usually|"
        r"set to|going to be|supposed to be))* <V>"
    ),
    "has": (
        r"<S> <ADV>(?:uses?|requires?|targets?|supports?|depends? on|relies on|rely on|points? to|deploys? to|talks? to|reads? from|writes? to|exposes?|"
        r"speaks?|serves?|expires? (?:on|in|after)|starts? (?:at|on)|ends? (?:at|on)|opens? at|closes? at|owns|maintains|goes live on|ships? with|"
        r"pulls? from|inherits from|reports to|leads|manages|lasts?(?= \d| one| two| three| four| about| for)|returns(?= json| xml| protobuf)|takes place (?:on|at)|happens? (?:on|at|every)|"
        r"communicates? (?:over|via|through)|talk over|run every|runs every|follows|belongs to|consists of|needs at least|must support|authenticates? (?:via|with|through)) <V>"
    ),
    "goes": r"<S> <ADV>(?:goes|go|ships?|flows?|are shipped|is shipped|are sent|is sent) to <V>",
    "owner": r"<S> <ADV>(?:owns|maintains|leads|manages|is responsible for|is in charge of|looks after|runs) <V>",
    "will_be": r"<S> will be <V>",
    "was": r"<S> (?:was|were) <V>",
    "it_is": r"(?:it|they|that)(?:'s| is| are|'re| should be| must be)(?: actually| really| now)? <V>",
    "bare_value": r"<V>",
}

_RULES = (
    Rule("called", "person", "fact", "name", "name"),
    Rule("i_am", "person", "fact", "proper_name", "name"),
    Rule("live", "person", "fact", "place", "live"),
    Rule("moving_home", "person", "fact", "place", "live", change=True),
    Rule("work_at", "person", "fact", "employer", "work"),
    Rule("work_on", "person", "fact", "plain"),
    Rule("zone", "person", "fact", "plain", "zone"),
    Rule("machine", "person", "fact", "plain"),
    Rule("person", "person", "preference", "plain"),
    Rule("like_when", "taste", "preference", "prefer", "prefer"),
    Rule("comfortable", "person", "preference", "prefer", "prefer"),
    Rule("like", "taste", "preference", "like", "prefer"),
    Rule("role", "person", "fact", "role"),
    Rule("like_more", "taste", "preference", "prefer", "prefer"),
    Rule("prefer", "taste", "preference", "prefer", "prefer"),
    Rule("would_prefer", "person", "preference", "prefer", "prefer"),
    Rule("favourite", "person", "preference", "favourite", "favourite"),
    Rule("preference", "taste", "preference", "prefer", "prefer"),
    Rule("prefer_it", "taste", "preference", "prefer", "prefer"),
    Rule("habit", "person", "preference", "prefer", "prefer"),
    Rule("i_always", "person", "preference", "prefer", "prefer"),
    Rule("never", "policy", "policy", "act", "act"),
    Rule("we_never", "policy", "policy", "act", "act"),
    Rule("must_not", "policy", "policy", "act", "act"),
    Rule("convention", "policy", "policy", "convention"),
    Rule("ask_first", "policy", "policy", "plain"),
    Rule("no_without", "policy", "policy", "plain"),
    Rule("without", "policy", "policy", "act", "act"),
    Rule("no_longer", "work", "fact", "no_longer", change=True, wide=True),
    Rule("decision", "work", "fact", "decided"),
    Rule("labelled", "work", "fact", "plain", wide=True),
    Rule("worked", "outcome", "outcome", "outcome"),
    Rule("works_now", "outcome", "outcome", "outcome"),
    Rule("tests_pass", "outcome", "outcome", "outcome"),
    Rule("fixed", "outcome", "outcome", "outcome"),
    Rule("turned_out", "outcome", "outcome", "turned_out"),
    Rule("cause", "outcome", "outcome", "cause"),
    Rule("culprit", "outcome", "outcome", "cause"),
    Rule("root_cause", "outcome", "outcome", "outcome", wide=True),
    Rule("as_our", "work", "fact", "as_our", "as_our"),
    Rule("moved", "work", "fact", "moved", "moved", change=True),
    Rule("moving", "work", "fact", "moved", "moved", change=True),
    Rule("we_are", "work", "fact", "who_we_are"),
    Rule("away", "work", "fact", "thing", change=True),
    Rule("replaced", "work", "fact", "replaced", change=True),
    Rule("dropped", "work", "fact", "given_up", change=True),
    Rule("will", "work", "fact", "use"),
    Rule("use", "work", "fact", "use"),
    Rule("do", "work", "fact", "done"),
    Rule("will_not", "work", "fact", "thing"),
    Rule("have", "work", "fact", "have"),
    Rule("in_charge", "person", "fact", "in_charge"),
    Rule("decided", "work", "fact", "decided"),
    Rule("speak", "person", "fact", "thing"),
    Rule("in_project", "policy", "policy", "act", "act"),
    Rule("from_now", "policy", "policy", "act", "act"),
    Rule("do_it", "policy", "policy", "standing", "act", general=True),
    Rule("by_doing", "outcome", "outcome", "by_doing"),
    Rule("needs", "policy", "policy", "needs"),
    Rule("allowed", "policy", "policy", "allowed"),
    Rule("must", "policy", "policy", "must"),
    Rule("was_now", "state", "fact", "change", "subject", change=True, wide=True),
    Rule("shifted", "state", "fact", "change", "subject", change=True),
    Rule("no_more", "state", "fact", "no_more", "subject", change=True),
    Rule("runs", "state", "fact", "relation", "runs"),
    Rule("named", "state", "fact", "relation", "subject"),
    Rule("fact", "state", "fact", "fact", "subject"),
    Rule("has", "state", "fact", "relation"),
    Rule("goes", "state", "fact", "relation_named"),
    Rule("owner", "state", "fact", "owner"),
    Rule("will_be", "state", "fact", "relation", "subject"),
    Rule("was", "state", "fact", "key_only", "subject"),
    Rule("bare_value", "state", "policy", "announced", general=True),
    Rule("it_is", "state", "fact", "correcting", general=True),
    Rule("bare_value", "state", "fact", "meant", general=True),
    Rule("dont", "policy", "policy", "key_only", "act"),
)

# How a clause begins that a group can fit, or what it must contain; tests hold that nothing is lost by it.
_WE = (
    "we ",
    "we'",
    "i ",
    "i'",
    "everyone",
    "our team",
    "our company",
    "our org",
    "our squad",
    "our group",
    "the team",
    "the whole team",
    "the entire team",
    "my team",
    "my company",
)
_GROUPS = {
    "frame": Group(FRAME),
    "late": Group(LATE),
    "person": Group(
        _PERSON,
        opens=("i ", "i'", "my ", "call", "you can call", "please call", "just call", "people call", "everyone call"),
    ),
    "taste": Group(_TASTE, opens=(*_WE, "my ", "our ", "prefer", "please prefer")),
    "policy": Group(
        _POLICY,
        needs=(
            "always never ever circumstances must has~to have~to need should shall may~ can~ allowed forbidden banned prohibited mandatory"
            " off-limits off~limits permitted required require polic rule convention guideline practice before without from~now~on"
            " forward henceforth future at~all~times every each project repo code~ codebase service app package library team company product"
            " site workspace plugin org module everywhere by~default across~the~board for~all for~any gets~ get~ from~here"
        ),
    ),
    "work": Group(
        _WORK,
        opens=(
            *_WE,
            "it",
            "switched",
            "migrated",
            "moved",
            "upgraded",
            "decision",
            "the decision",
            "our ",
            "final",
            "team ",
            "architecture",
            "design ",
        ),
    ),
    "outcome": Group(
        _OUTCOME,
        needs=(
            "work fail succe broke pass trick did~it help went fix solv resolv sorted cured unblock made~ turn cause solution culprit reason"
            " workaround problem issue bug outage leak crash regression hang slowdown outcome lesson resolution green cut eliminat"
        ),
    ),
    "state": Group(_STATE),
}

LANGUAGE = Language(
    "en",
    _GROUPS,
    _FRAGMENTS,
    _RULES,
    WORDS,
    ACTIONS,
    {
        "our": "the",
        "a": "the",
        "an": "the",
        "this project's": "the",
        "our project's": "the",
        "the project's": "the",
        "favorite": "favourite",
    },
)
