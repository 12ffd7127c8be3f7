"""How English says it. Sources are matched against folded text (lower case, straight apostrophes), at a clause's start.

Named groups: `s` the slot or subject, `v` its value, `o` what a preference or policy is about, `a` the policy's verb,
`old` a former value, `w` who. `<NAME>` stands for the fragment of that name.
"""

from awhm_hooks.journal.patterns.en_words import ACTIONS, WORDS
from awhm_hooks.journal.patterns.languages import Language, Rule, filled

_FRAGMENTS = {
    "GAP": r"[\s,:;.!–—-]*",
    "W": r"[^\s,;:()!?]+",
    "S": r"(?P<s><W>(?: <W>){0,7}?)",
    "V": r"(?P<v>\S.*)",
    "O": r"(?P<o>\S.*)",
    "WE": r"(?:we|our (?:team|company|org|squad|group)|the (?:whole |entire )?team|my team|my company|everyone)",
    "TEAM": r"(?:our (?:team|company|org|squad|group)|the (?:whole |entire )?team|my team|my company)",
    "DOING": (
        r"deploy|host|ship|release|store|keep|run|build|develop|target|support|require|follow|practi[cs]e|write|test|version|tag|track|"
        r"manage|organi[sz]e|prefix|format|lint|monitor|bill|charge|cache|serve|document|communicate|merge|squash|rebase|review|speak|"
        r"authenticate|log|sell|operate|measure|plan|estimate|maintain|own"
    ),
    "HAVE": r"(?:'ve|'d| have| has| had)?",
    "ADV": (
        r"(?:(?:really|strongly|much|very|generally|usually|typically|normally|always|personally|also|still|actually|"
        r"definitely|now|currently|mostly|mainly|primarily|largely|just|only|already|recently|finally|officially|all|both|"
        r"exclusively|internally|then|successfully|unanimously|collectively|eventually|simply|do) ){0,3}"
    ),
    "TO": r"(?:to|onto|over to|into|in favou?r of)",
    "PLACE": (
        r"(?:project|repo|repository|codebase|code base|service|app|application|package|library|team|company|product|site|"
        r"website|monorepo|workspace|plugin|organi[sz]ation|org|module)"
    ),
    "NEVER": r"(?:always|never,? ever|never|don't ever|do not ever|dont ever|under no circumstances)",
    "MONTH": r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*",
    "DAY": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
}

_SOURCES = {
    "lead": (
        r"(?:ok(?:ay)?|so|well|yes|yeah|yep|yup|sure|right|great|good|nice|perfect|cool|awesome|thanks(?: a lot| so much)?|"
        r"thank you|thx|hi(?: there| claude)?|hello(?: there| claude)?|hey(?: there| claude)?|claude|also|and|but|then|or|btw|"
        r"by the way|fyi|ps|p\.s|oh|ah|aha|hmm|um|look|listen|remember(?! to\b| always\b| never\b)|(?:please )?(?:note|remember(?! to\b| always\b| never\b)|keep in mind|bear in mind|"
        r"be aware)|just so you know|so you know|for (?:the )?(?:record|context|reference|your information|future reference|"
        r"background|what it's worth)|(?:quick|one|small|side) (?:note|thing|more thing|question|context|reminder|update)|"
        r"quick context|another thing|context|background|"
        r"note|info|tip|reminder|heads[ -]up|update|important(?:ly)?|in general|generally(?: speaking)?|in short|basically|"
        r"as (?:i|we) (?:said|mentioned|told you)(?: before)?|like i said|as mentioned|as (?:a|you may|you might) (?:reminder|know)|"
        r"personally|honestly|frankly|tbh|to be (?:clear|honest|fair|precise|exact)|to clarify|"
        r"in my (?:opinion|view)|imo|luckily|fortunately|unfortunately|don't forget|you should know|know|please know|"
        r"i want you to (?:know|remember)|i should (?:mention|add|say)|i forgot to (?:mention|say)|i'd say|i would say|"
        r"one preference|preference|a few (?:things|preferences)|fact|in fact|at work|at my (?:company|job|work)|"
        r"at our company|(?:on|in) (?:my|our) team|lol|haha|sorry|"
        r"on (?:my|our) side|at home|still|anyway|good news|bad news|whatever you do|no matter what|"
        r"i told you|preferably)(?: that(?! (?:didn't|did|worked|failed|fixed|helped|broke|solved|resolved|was|is|doesn't|made)\b))?(?=[\s,:;.!–—-])<GAP>"
    ),
    "dated": (
        r"(?:now(?! (?:it|that|everything|all|the tests)? ?works?\b)|nowadays|these days|yesterday|today|tonight|this (?:morning|week|month|quarter|year|sprint)|(?:last|next) \w+|"
        r"(?:a|two|three|few|couple of) (?:days?|weeks?|months?|years?) ago|recently|lately|"
        r"(?:from|since|starting|as of|effective|beginning|in|on|after|before|until)(?: on| in| from)? "
        r"(?:the )?(?:\d{4}-\d\d(?:-\d\d)?|\d{4}|<MONTH>(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|"
        r"\d{1,2}(?:st|nd|rd|th)?(?: of)? <MONTH>(?:,? \d{4})?|(?:next |last |this )?(?:<DAY>|week|month|quarter|year|sprint|q[1-4])|"
        r"today|tomorrow|yesterday|v\d[\w.]*|version \S+|q[1-4](?: \d{4})?))(?: on(?:wards?)?)?(?=[\s,:–—-])<GAP>|"
        r"(?:when it comes to|as for|regarding|concerning|in terms of) <W>(?: <W>){0,3}?(?=,),? |"
        r"(?:in|for|with|on) <W>(?: <W>){0,2}?,? (?=(?:i|we) (?:prefer|use|like|always|never|usually)\b)|"
        r"when(?:ever)? (?:<W> ){1,8}?(?=(?:i|we) (?:always|never|prefer|usually|only)\b)|"
        r"after (?:a |an |some |much |long |lots of |lengthy |careful )*(?:<W> )?(?:debate|discussions?|thought|thinking|research|testing|"
        r"deliberation|consideration|evaluation|comparison|benchmarks?)(?: and <W>)?,? |after \w+ing(?: <W>){0,5},? (?=we\b|i\b)"
    ),
    "standing": (
        r"(?:please )?(?:from now on(?:wards?)?|from (?:here|today|this point|now)(?: on(?:wards?)?| forward| out)|going forwards?|"
        r"moving forwards?|henceforth|as (?:a|our) (?:general )?(?:rule|policy|convention)(?: of thumb)?|in future|"
        r"in the future|"
        r"effective immediately|starting (?:now|today|immediately)|policy|(?:new |team |house |project |our |general |hard )*"
        r"(?:rule|policy|convention|guideline)(?: (?:\d+|number \w+|of thumb))?(?=[:–—-]))(?=[\s,:;.!–—-])<GAP>"
    ),
    "placed": (
        r"(?:in|on|for|across|throughout|within) (?:this|our|the(?: whole| entire)?|all(?: of)? our|all my|my|every) "
        r"(?:<W> )?(?:<PLACE>s?|code|projects|repos)(?=[\s,:–—-])<GAP>|"
        r"(?:in|for|on|with) (?!the |this |that |these |those |my |your )(?:<W> ){1,6}?(?:projects|repos|code|files|components|services|tests|modules|packages|scripts|"
        r"commits|prs|migrations|docs|endpoints|functions|classes)(?=,)<GAP>"
    ),
    "marker": (
        r"(?:(?:oh|sorry|oops|wait|hmm|hm|ah|yeah|well|ok(?:ay)?|but)[,!. ]+){0,2}"
        r"(?:(?:actually(?:,? no)?|small correction|correction|correcting myself|to correct (?:myself|that)|"
        r"let me correct (?:that|myself)|scratch that|my (?:bad|mistake)|i was wrong|i(?:'m| am| was) mistaken|i misspoke|"
        r"i (?:actually |really )?meant(?: to (?:say|write|type))?(?: that)?|what i meant (?:was|is|to say (?:was|is))(?: that)?|"
        r"(?:that|this)(?:'s| is| was)(?: actually| just| all)? (?:wrong|incorrect|false|outdated|out of date|no longer (?:true|right|correct)|"
        r"not (?:right|correct|true|quite right|accurate|up to date))|(?:that|this) isn't (?:right|correct|true)|"
        r"you(?:'re| are) (?:wrong|mistaken)|you got (?:that|it) wrong|not quite|on second thought|no wait|wait no|nope)(?=[\s,:;.!–—-]|$)|"
        r"(?:wrong|edit|oops|update|no)(?=[,:.!–—-])|no(?= (?:it's|it is|it should|that's|the |my |our |i |we |actually)))<GAP>"
    ),
    "it": r"(?:it|that|this|they|those)(?:'s| is|'re| are)(?: actually| really| now)? ",
    "mid_marker": r"\b(?:is|are) actually\b",
    "stopped": r"\b(?:no longer|stopped)\b",
    "hedge": (
        r"\b(?:maybe|perhaps|probably|possibly|presumably|apparently|supposedly|allegedly|i think|i guess|i believe|i suppose|i assume|not sure|"
        r"might|could|or something|or so|would be|would have|should i|i hope|hopefully|likely|potentially|theoretically|i wish)\b"
    ),
    "void": (
        r"\b(?:if|unless|suppose|supposing|imagine|imagining|pretend|assum(?:e|ing)|let's (?:say|pretend|assume|imagine)|hypothetically|"
        r"what if|in case|would|could|might|maybe|in theory|theoretically|in a perfect world|ideally|in principle|perhaps|probably|possibly|likely|presumably|apparently|allegedly|supposedly|i think|"
        r"i guess|i believe|i assume|i suspect|i doubt|i bet|not sure|unsure|no idea|wonder(?:ing)?|i wish|wish|hope(?:fully)?|looks like|"
        r"seems?|sounds like|as if|as though|for (?:example|instance)|e\.g|eg|such as|just kidding|kidding|joking|according to|"
        r"pretending|example|whether)\b"
    ),
    "conditional": r"(?:if|when|whenever|unless|before|after|once|while|where|for|as soon as|every time|each time|in case|any time|should)\b",
    "reported": (
        r"(?:\b(?!i |we |you )<W> (?:said|says|told|claims|claimed|asked|asks|wrote|writes|thinks|thought|believes|mentioned|suggests?|"
        r"suggested|recommends?|recommended|insists?|insisted|argues?|argued|stated?|states|reads?|reported|reports|replied|answered|"
        r"complains?|complained)\b|\baccording to\b|\bquote\b|\bthe (?:docs?|readme|error|linter|log|comment|output|message) )"
    ),
    "said": (
        r"(?:(?:he|she|they|<W>(?: <W>)?) (?:said|says|told|claims?|claimed|wrote|writes|thinks|thought|insists|replied|argued)|"
        r"according to|just kidding|kidding|jk\b|not\b.{0,20}$(?<=joke)|they say|or so|supposedly|apparently|i think|i guess|i believe|"
        r"i assume|maybe|probably|right$|correct$|no$|or$|isn't it|aren't they|don't we|doesn't it|don't you think|or not|if i|as far as i)"
    ),
    "joke": r"\b(?:just kidding|only kidding|jk|i'm joking|just joking|/s)(?: |$|\W)",
    "whole_void": (
        r"(?:and |so |but |ok(?:ay)?,? )?(?:imagine|suppose|supposing|assuming|pretend|let's (?:say|pretend|assume|imagine)|hypothetically|"
        r"for (?:example|instance)|assume|say )\b"
    ),
    "question": (
        r"(?:and |but |so |also |ok(?:ay)?,? |hey,? |well,? |now )?(?:can|could|would|will|should|shall|do|does|did|is|are|was|were|am|has|have|had|"
        r"may|might|must|isn't|aren't|don't (?:you|we|they|i)|doesn't|didn't|won't|wouldn't|couldn't|can't|shouldn't|"
        r"what|what's|how|how's|why|who|whose|which|where|when|whats|hows|any (?:idea|chance|reason)|is it|tell me|explain|show me|"
        r"remind me|do you)\b"
    ),
    "confirming": r"(?:ok(?:ay)?|please|got it|understood|alright|all right|deal|agreed|capisce|clear)\W*$",
    "cut": (
        r"(?:(?:and|but|so|because|since|as|though|although|then|or|plus|also|yet|while|whereas)[, ]+)?"
        r"(?:(?:i|we|you|he|she|they|it|that|this|these|those|there|what|how|why|who|where|can|could|would|will|should|do|"
        r"does|did|is|are|let's|lets|please|pls|thanks|thank|thx|cheers|ok|okay|lol|haha|hope|sorry|btw|anyway|maybe|right|correct|"
        r"got it|understood|just|don't)(?=[\s,.!?']|$)|by the way|make sure|help me|so (?:use|make|set|change|update|add|fix|run|switch|keep)\b)"
    ),
    "task": (
        r"\b(?:for now|right now|at the moment|at present|this time|just (?:this )?once|this once|today only|just for today|temporarily|for the moment|"
        r"for the time being|in the meantime|"
        r"(?:in|for|on|of|to|with|from|inside|at) (?:this|that|these|those|the current|the following) "
        r"(?:file|files|function|method|class|test|tests|case|cases|pr|pull request|commit|branch|task|ticket|issue|line|lines|block|loop|"
        r"page|component|snippet|change|diff|example|script|query|step|part|section|one|request|session|conversation|run|step|"
        r"feature|bug|refactor|module|migration|endpoint|button|situation|problem|bit|time|exercise|demo|spike|experiment|screen|view)|"
        r"this (?:one|file|function|method|class|test|line|variable|component|snippet|query|block|page|script)|"
        r"that (?:one|file|function|test|line|change|variable)|(?:these|those) (?:ones|files|functions|tests|lines|changes|variables)|"
        r"the (?:first|second|third|last|latter|former|other|previous|above|following|new|old|current|same|latest) "
        r"(?:one|option|version|approach|solution|way|variant|idea|suggestion|design|file|function|method|class|test|line|test case)|"
        r"(?:option|variant|approach|suggestion|version|solution|plan) (?:\w|one|two|three)|your (?:\w+ )?(?:suggestion|idea|approach|version|"
        r"solution|plan|code|answer|proposal)|the way you|as (?:shown|seen|described) (?:above|below))\b"
    ),
    "here": r"\b(?:here|yet|again|now)\b",
    "change": (
        r"\b(?:moved|moving|switched|switching|migrated|migrating|changed|renamed|replaced|replacing|no longer|any ?more|any longer|"
        r"now|upgraded|upgrading|downgraded|bumped|dropped|deprecated|ditched|retired|rebranded|pushed back|postponed|rescheduled|extended|raised|"
        r"lowered|relocated|used to|instead of|as of|from now on|going forward|stopped|transitioned|converted|joined|updated to|"
        r"abandoned|adopted|sunset(?:ting)?)\b"
    ),
    # Facts about the person.
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
    "speak": r"i <ADV>(?:speak|know|code in|program in|come from|am from|graduated from|study|report to|own|maintain|lead|manage) <V>",
    "habit": r"i <ADV>(?:tend to |like to )(?:use|write|go with|reach for|keep|put|run|commit|work|start|name|format|have|split|see) <O>",
    "i_always": (
        r"i(?:'ve| have)? (?:almost |nearly |pretty much )?(?:always|never)(?: ever)? (?:use|write|go with|reach for|name|format|keep|put|commit|work with|"
        r"code in|develop|squash|rebase|run|indent|start|add|test|deploy|prefer|want) <O>"
    ),
    # Facts about the work.
    "no_longer": (
        r"(?:<WE>|i)(?:'re| are|'m| am)?(?: (?:no longer|stopped|don't|do not|have stopped)|'ve stopped) (?P<a>use|using|deploy|deploying|run|running|support|supporting|host|hosting|ship|"
        r"shipping|rely|target|targeting|maintain|maintaining|need|have|work|write|build|building|store|storing|live)(?: on| with| at| to| in)? "
        r"(?P<old><W>(?: <W>){0,6}?)(?P<more> any ?more| any longer)?"
        r"(?:[,;.]? (?:-+|–|—)? ?(?:but |and |now |instead )*(?:(?:we|i)(?:'re| are)? )?(?:now )?(?:use|using|run|deploy)(?: on| to)? (?P<v>.+))?$"
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
    "away": r"<WE>(?:<HAVE>|'re| are) <ADV>(?:moved|migrated|switched|shifted|stepped|moving|migrating|switching) (?:away from|off(?: of)?) <V>",
    "replaced": r"(?:(?P<w><WE>|i)<HAVE>|(?:we|i)(?:'re| are|'m| am)) <ADV>(?:replaced|replacing|swapped|swapping)(?: out)? (?P<old>\S.{0,60}?) (?:with|by|for) <V>",
    "dropped": r"(?P<w><WE>|i)(?:<HAVE>|'re| are) <ADV>(?:dropped|deprecated|abandoned|ditched|retired|discontinued|sunset|dropping|deprecating|retiring)(?: support for)? <V>",
    "shifted": (
        r"<S>(?: has| have|'s)?(?: been| was| were| is| are)?(?: now)? (?:moved|changed|switched|migrated|renamed|relocated|updated|bumped|upgraded|"
        r"pushed(?: back)?|postponed|delayed|rescheduled|extended|raised|lowered|increased|reduced|shifted|transferred|moving|switching|migrating|"
        r"rebranded)(?: over| back)?(?: from (?P<old>\S.{0,60}?))? (?:<TO>|until|as|by) <V>"
    ),
    "was_now": (
        r"<S> (?:was|were|used to be|isn't|aren't|is not|are not|is no longer|are no longer) (?P<old>[^,;]{1,60}?)(?: any ?more| any longer)?[,;]? (?:(?:-+|–|—|and|but) )*"
        r"(?:(?:it|they|that)(?:'s| is|'re| are)(?: now)?|now (?:it's|it is|they are|is)|is now|has moved to|moved to|changed to|we moved it to|"
        r"->|=>|→|but) <V>"
    ),
    "no_more": r"<S> (?:is|are) no longer <V>",
    "as_our": (
        r"(?:(?P<w><WE>|i)<HAVE>(?:'re| are|'m| am)? <ADV>(?:use|uses|using|run|chose|picked|have|switched to|moved to|migrated to|decided on|"
        r"settled on|going with)) (?P<v>\S.{0,60}?) (?:as (?=our |my |the |an? )|(?P<for>for) )"
        r"(?P<s>(?:<W> ){0,4}?<W>)(?= in | on | at | since | because | instead |[,;]|$)"
    ),
    "use": (
        r"(?P<w><WE>|i)(?:'re| are|'m| am)? <ADV>(?:use|uses|utili[sz]e|using|run on|runs on|rely on|depend on|standardi[sz]e on|going with|"
        r"sticking with|staying (?:with|on)|adopting|standardi[sz]ing on|targeting|building (?:on|with)|deploying (?:to|on|with)|hosting (?:on|with)|"
        r"running on|betting on|(?P<plus>on)) <V>"
    ),
    "do": (
        r"(?:(?P<w>we) <ADV>(?:<DOING>)(?! (?:into|out|this|it|up|over|through)\b)|<TEAM> <ADV>(?:<DOING>)e?s) <V>"
    ),
    "will": r"(?P<w>we)(?:'ll| will|'re going to| are going to) (?:be using|use|go with|stick with|adopt|be on|standardi[sz]e on|move to|switch to|migrate to) <V>",
    "decided": (
        r"(?:(?P<w><WE>|i|it)(?:<HAVE>|'s|'s been| was| has been)) <ADV>(?:decided|agreed|chosen|chose|opted|settled(?= on\b)|picked|adopted|(?:went|gone)(?= with\b)|elected|landed(?= on\b)|"
        r"committed|standardi[sz]ed|converged|signed off|ended up(?= (?:using|with|going with)\b))(?: (?P<how>on|for|with|to|that|upon|against|in favou?r of|using|going with))? <V>"
    ),
    "decision": r"(?:the |our |final )*decision (?:is|was)(?: made)?(?: to| that| on|:)? <V>",
    "labelled": r"(?:final |team |architecture |design )*decision(?: made)?\s*[:–—-]+ <V>",
    "runs": (
        r"<S> <ADV>(?:runs?|listens?|lives?|sits?|resides?|is hosted|are hosted|is deployed|are deployed|is running|is listening|is served|is reachable|"
        r"is available|is exposed) (?P<p>on|at|in|under|behind|from|to|with|via) <V>"
    ),
    "named": r"<S> (?:is|are|was) (?:now )?(?:called|named|codenamed|known as|nicknamed) <V>",
    "has": (
        r"<S> <ADV>(?:uses?|requires?|targets?|supports?|depends? on|relies on|rely on|points? to|deploys? to|talks? to|reads? from|writes? to|exposes?|"
        r"speaks?|serves?|expires? (?:on|in|after)|starts? (?:at|on)|ends? (?:at|on)|opens? at|closes? at|owns|maintains|goes live on|ships? with|"
        r"pulls? from|inherits from|reports to|leads|manages|lasts?|returns(?= json| xml| protobuf)|takes place (?:on|at)|happens? (?:on|at|every)|"
        r"communicates? (?:over|via|through)|talk over|run every|runs every|follows|belongs to|consists of|needs at least|must support|authenticates? (?:via|with|through)) <V>"
    ),
    "will_be": r"<S> will be <V>",
    "fact": (
        r"<S>(?: is| are|'s(?= (?:called|named|now)))(?: (?:now|currently|actually|still|just|simply|officially|also|only|usually|"
        r"set to|going to be|supposed to be))* <V>"
    ),
    "was": r"<S> (?:was|were) <V>",
    "it_is": r"(?:it|they|that)(?:'s| is| are|'re| should be| must be)(?: actually| really| now)? <V>",
    "bare_value": r"<V>",
    # Preferences.
    "prefer": (
        r"(?P<w>i|<WE>) <ADV>(?:prefers?|favou?rs?)(?: (?:to (?:use|have|see|work (?:with|in)|keep|write|get|be)|using|having|writing|it when|it if|"
        r"that you|if you|when you))? <O>"
    ),
    "would_prefer": r"i(?:'d| would) <ADV>(?:prefer|rather (?:use|have|write|go with))(?: to (?:use|have|see)| using)? (?P<o>\S.* (?:over|instead of|rather than|than) .*)",
    "like_more": r"(?:i|we) <ADV>(?:like|enjoy|love) (?P<o>\S.{0,60}?) (?:better|more)(?: than .*|$)",
    "like": r"(?:i|we)(?: <ADV>(?:like|love|enjoy|hate|dislike|despise|detest|loathe|can't stand|cannot stand|don't like|do not like)|(?:'m| am) (?:not )?an? (?:big |huge )?fan of) (?:to (?:use |have |see |keep )?|using |having |writing )?<O>",
    "like_when": r"(?:i|we) <ADV>(?:like|love|hate|prefer|enjoy|appreciate) it (?:when|if) <O>",
    "comfortable": r"i(?:'m| am) (?:much |a lot |way )?(?:more comfortable|happier|more productive|most comfortable|most productive) (?:with|in|using|writing) <O>",
    "favourite": r"my (?:\S+ ){0,2}?(?:all-time )?favou?rite (?P<s>\S.{0,50}?) (?:is|are) <V>",
    "preference": r"(?:my|our) (?:\S+ )?preference(?: for \S+(?: \S+)?)? is (?:for |to use |to have |to |using )?<O>",
    "prefer_it": r"(?:please )?prefer (?:to use |using )?<O>",
    "person": r"i(?:'m| am) (?:more of )?an? (?P<v>\S+(?: \S+){0,3}? (?:person|guy|gal|girl|user|fan|enthusiast|purist|minimalist))\b",
    # Policies.
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
    "no_without": r"no <O> without (?:my |an? |prior |explicit |the |two |at least )?(?:code )?(?:review|approval|permission|tests?|ticket|sign-?off|reviewers?|docs|documentation|migration)s?\b",
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
    # Outcomes.
    "worked": (
        r"(?:and |but |so |great,? |yes,? |yay,? )?(?:that|this|it|which|both|everything|(?:that|this) (?:approach|change|fix|patch|workaround|solution|"
        r"trick|suggestion|attempt|migration|deploy|deployment)|your (?:fix|change|patch|suggestion|solution|workaround)|"
        r"(?:the|our|my) (?:\S+ ){0,2}?(?:fix|change|patch|workaround|solution|approach|migration|release|rollout|rollback|upgrade|deploy|deployment|"
        r"import|backfill|restore|cutover|experiment|refactor|hotfix|install|installation|downgrade|revert))(?: all| finally| actually| just| really| still| indeed| definitely)? "
        r"(?:worked|failed|succeeded|broke(?: everything| the build| ci| prod\w*| it)?|passed|did the trick|did it|didn't work|did not work|doesn't work|didn't help|"
        r"did not help|helped(?=\W*$|,| a lot)|went (?:fine|well|smoothly|through|wrong|through fine)|(?:fixed|solved|resolved|sorted|cured|unblocked) .+|works now|work now|made (?:it|things) worse|made no difference)"
        r"(?=[\s,.!:;–—-]|$)(?! (?:yesterday|before|until|last|previously|locally|earlier|when|if|fine|on my|for (?:him|her|them)|as)\b).*"
    ),
    "root_cause": r"(?:root cause|the fix|workaround|resolution|culprit|outcome|lesson(?: learned)?)\s*[:–—-]+ <V>",
    "we_are": r"we(?:'re| are) <ADV>an? <V>",
    "owner": r"<S> <ADV>(?:owns|maintains|leads|manages|is responsible for|is in charge of|looks after|runs) <V>",
    "works_now": r"(?:(?:it|that|this|everything|all) )?(?:(?:finally|now) works|works (?:now|again|perfectly now|like a charm|as expected now)|(?:is|are|'s) (?:finally )?(?:fixed|solved|resolved|working)(?: now| again)?)\W*$",
    "fixed": r"(?:(?:i|we)(?:'ve| have)? )?(?:finally |just |now )?(?:fixed|solved|resolved)(?:(?: it| that| this)?(?: now)?\W*$|(?P<o> .{1,60}? (?:by|with|after|via|through) \S.*| by .*))",
    "tests_pass": r"(?:now )?(?:all|the|all the|our)? ?(?:\d+ )?(?:unit |integration |e2e )?tests (?:(?:now |all )*(?:pass|passed|are passing|are green|are all green)(?: now| again)?)\W*$",
    "turned_out": r"(?:and |so |but )?(?:(?:it|this|that|the \S+(?: \S+)?) )?turn(?:s|ed) out(?: that| to be| it's| it was|,)? <V>",
    "cause": (
        r"(?:the|our|its)(?: (?:real|actual|final|root|underlying|only|main|true|right|correct|proper|working))? (?:fix|solution|cause|root cause|culprit|reason|workaround|trick|problem|issue|bug|failure|"
        r"outage|leak|crash|regression|hang|slowdown)(?: (?:for|of|behind|with|in) .{1,50}?)? (?:was|turned out to be|came from|were|comes from)(?: that| to| to be|,)? <V>"
    ),
    "culprit": r"(?:the|our) (?:root cause|culprit|actual cause|underlying cause)(?: (?:of|for|behind) .{1,40}?)? is(?: that)? <V>",
    "by_doing": (
        r"(?P<s>(?:\w+ing|the|your|a|an|downgrad\w+|upgrad\w+)\b(?: <W>){0,9}?) (?:finally |completely |also |actually )?(?P<a>fixed|solved|resolved|cured|unblocked|eliminated|did the trick|"
        r"helped(?! (?:me|us|him|her|them|my|our)\b)|didn't help|did not help|worked|didn't work|did not work|broke|made no difference|made it worse|failed|cut)\b ?<V>?"
    ),
}

_RULES = (
    Rule("called", "fact", "name", "name"),
    Rule("i_am", "fact", "proper_name", "name"),
    Rule("live", "fact", "place", "live"),
    Rule("moving_home", "fact", "place", "live", change=True),
    Rule("work_at", "fact", "employer", "work"),
    Rule("work_on", "fact", "plain"),
    Rule("zone", "fact", "plain", "zone"),
    Rule("machine", "fact", "plain"),
    Rule("person", "preference", "plain"),
    Rule("like_when", "preference", "prefer", "prefer"),
    Rule("comfortable", "preference", "prefer", "prefer"),
    Rule("like", "preference", "like", "prefer"),
    Rule("role", "fact", "role"),
    Rule("like_more", "preference", "prefer", "prefer"),
    Rule("prefer", "preference", "prefer", "prefer"),
    Rule("would_prefer", "preference", "prefer", "prefer"),
    Rule("favourite", "preference", "favourite", "favourite"),
    Rule("preference", "preference", "prefer", "prefer"),
    Rule("prefer_it", "preference", "prefer", "prefer"),
    Rule("habit", "preference", "prefer", "prefer"),
    Rule("i_always", "preference", "prefer", "prefer"),
    Rule("never", "policy", "act", "act"),
    Rule("we_never", "policy", "act", "act"),
    Rule("must_not", "policy", "act", "act"),
    Rule("convention", "policy", "convention"),
    Rule("ask_first", "policy", "plain"),
    Rule("no_without", "policy", "plain"),
    Rule("without", "policy", "act", "act"),
    Rule("no_longer", "fact", "no_longer", change=True, wide=True),
    Rule("decision", "fact", "decided"),
    Rule("labelled", "fact", "plain", wide=True),
    Rule("worked", "outcome", "outcome"),
    Rule("works_now", "outcome", "outcome"),
    Rule("tests_pass", "outcome", "outcome"),
    Rule("fixed", "outcome", "outcome"),
    Rule("turned_out", "outcome", "turned_out"),
    Rule("cause", "outcome", "cause"),
    Rule("culprit", "outcome", "cause"),
    Rule("root_cause", "outcome", "outcome", wide=True),
    Rule("as_our", "fact", "as_our", "as_our"),
    Rule("moved", "fact", "moved", "moved", change=True),
    Rule("moving", "fact", "moved", "moved", change=True),
    Rule("we_are", "fact", "who_we_are"),
    Rule("away", "fact", "thing", change=True),
    Rule("replaced", "fact", "replaced", change=True),
    Rule("dropped", "fact", "thing", change=True),
    Rule("will", "fact", "use"),
    Rule("use", "fact", "use", "use"),
    Rule("do", "fact", "done"),
    Rule("decided", "fact", "decided"),
    Rule("speak", "fact", "thing"),
    Rule("in_project", "policy", "act", "act"),
    Rule("from_now", "policy", "act", "act"),
    Rule("do_it", "policy", "standing", "act", general=True),
    Rule("by_doing", "outcome", "by_doing"),
    Rule("allowed", "policy", "allowed"),
    Rule("must", "policy", "must"),
    Rule("was_now", "fact", "change", "subject", change=True, wide=True),
    Rule("shifted", "fact", "change", "subject", change=True),
    Rule("no_more", "fact", "no_more", "subject", change=True),
    Rule("runs", "fact", "relation", "runs"),
    Rule("named", "fact", "relation", "subject"),
    Rule("fact", "fact", "fact", "subject"),
    Rule("has", "fact", "relation"),
    Rule("owner", "fact", "owner"),
    Rule("will_be", "fact", "relation", "subject"),
    Rule("was", "fact", "key_only", "subject"),
    Rule("bare_value", "policy", "announced", general=True),
    Rule("it_is", "fact", "correcting", general=True),
    Rule("bare_value", "fact", "meant", general=True),
    Rule("dont", "policy", "key_only", "act"),
)

LANGUAGE = Language(
    "en",
    filled(_SOURCES, _FRAGMENTS),
    _RULES,
    WORDS,
    ACTIONS,
    {"our": "the", "a": "the", "an": "the", "this project's": "the", "our project's": "the", "the project's": "the", "favorite": "favourite"},
)
