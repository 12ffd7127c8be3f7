"""What stands around an English statement: lead-ins, correction markers, and what makes it none (see en.py)."""

# Needed for every sentence.
FRAME = {
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
        r"i told you|preferably|it's (?:decided|settled|official)|it is decided|agreed|decided)(?: that(?! (?:didn't|did|worked|failed|fixed|helped|broke|solved|resolved|was|is|doesn't|made)\b))?(?=[\s,:;.!–—-])<GAP>"
    ),
    "dated": (
        r"(?:now(?! (?:it|that|everything|all|the tests)? ?works?\b)|nowadays|these days|yesterday|today|tonight|this (?:morning|week|month|quarter|year|sprint)|(?:last|next) \w+|"
        r"(?:a|two|three|few|couple of) (?:days?|weeks?|months?|years?) ago|recently|lately|"
        r"(?:from|since|starting|as of|effective|beginning|in|on|after|before|until)(?: on| in| from)? "
        r"(?:the )?(?:\d{4}-\d\d(?:-\d\d)?|\d{4}|<MONTH>(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|"
        r"\d{1,2}(?:st|nd|rd|th)?(?: of)? <MONTH>(?:,? \d{4})?|(?:next |last |this )?(?:<DAY>|week|month|quarter|year|sprint|q[1-4])|"
        r"today|tomorrow|yesterday|v\d[\w.]*|version \S+|q[1-4](?: \d{4})?))(?: on(?:wards?)?)?(?=[\s,:–—-])<GAP>|"
        r"(?:when it comes to|as for|regarding|concerning|in terms of) <W>(?: <W>){0,3}?(?=,),? |"
        r"(?:in|for|with|on|between|of) (?!theory|principle|an? (?:perfect|ideal)|case|that\b|this\b)<W>(?: <W>){0,4}?,? (?=(?:i|we)(?:'ve|'re|'ll| have| are)? (?:<LED>)\b)|"
        r"when(?:ever)? (?:<W> ){1,8}?(?=(?:i|we) (?:always|never|prefer|usually|only)\b)|"
        r"after (?:a |an |some |much |long |lots of |lengthy |careful )*(?:<W> )?(?:debate|discussions?|thought|thinking|research|testing|"
        r"deliberation|consideration|evaluation|comparison|benchmarks?)(?: and <W>)?,? |after \w+ing(?: <W>){0,5},? (?=we\b|i\b)"
    ),
    "standing": (
        r"(?:please )?(?:from now on(?:wards?)?|from (?:here|today|this point|now)(?: on(?:wards?)?| forward| out)|going forwards?|"
        r"moving forwards?|henceforth|as (?:a|our) (?:general )?(?:rule|policy|convention)(?: of thumb)?|in future|"
        r"in the future|"
        r"(?:before|after|on) (?:every|each|any) (?:commit|push|merge|deploy|deployment|release|pr|pull request)|effective immediately|starting (?:now|today|immediately)|policy|(?:new |team |house |project |our |general |hard )*"
        r"(?:rule|policy|convention|guideline)(?: (?:\d+|number \w+|of thumb))?(?=[:–—-]))(?=[\s,:;.!–—-])<GAP>"
    ),
    "placed": (
        r"(?:in|on|for|across|throughout|within) (?:this|our|the(?: whole| entire)?|all(?: of)? our|all my|my|every) "
        r"(?:<W> )?(?:<PLACE>s?|code|projects|repos)(?=[\s,:–—-])<GAP>|"
        r"(?:in|for|on|with) (?!the |this |that |these |those |my |your )(?:<W> ){1,6}?(?:projects|repos|code|files|components|services|tests|modules|packages|scripts|"
        r"commits|prs|migrations|docs|endpoints|functions|classes)(?=,)<GAP>|"
        r"(?:in|for|on|with) (?!the |this |that )<W>(?: <W>)?,? (?=(?:always|never)\b)"
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
    "cut": (
        r"(?:(?:and|but|so|because|since|as|though|although|then|or|plus|also|yet|while|whereas)[, ]+)?"
        r"(?:(?:i|we|you|he|she|they|it|that|this|these|those|there|what|how|why|who|where|can|could|would|will|should|do|"
        r"does|did|is|are|let's|lets|please|pls|thanks|thank|thx|cheers|ok|okay|lol|haha|hope|sorry|btw|anyway|maybe|right|correct|"
        r"got it|understood|just|don't)(?=[\s,.!?']|$)|by the way|make sure|help me|so (?:use|make|set|change|update|add|fix|run|switch|keep)\b)"
    ),
}

# Needed only where a rule has matched.
LATE = {
    "it": r"(?:it|that|this|they|those)(?:'s| is|'re| are)(?: actually| really| now)? ",
    "mid_marker": r"\b(?:is|are) actually\b",
    "stopped": r"\b(?:no longer|stopped)\b",
    "hedge": (
        r"\b(?:maybe|perhaps|probably|possibly|presumably|apparently|supposedly|allegedly|i think|i guess|i believe|i suppose|i assume|not sure|"
        r"might|could|or something|or so|would be|would have|should i|i hope|hopefully|likely|potentially|theoretically|i wish)\b"
    ),
    "said": (
        r"(?:(?:he|she|they|<W>(?: <W>)?) (?:said|says|told|claims?|claimed|wrote|writes|thinks|thought|insists|replied|argued)|"
        r"according to|just kidding|kidding|jk\b|not\b.{0,20}$(?<=joke)|they say|or so|supposedly|apparently|i think|i guess|i believe|"
        r"i assume|maybe|probably|right$|correct$|no$|or$|isn't it|aren't they|don't we|doesn't it|don't you think|or not|if i|as far as i)"
    ),
    "confirming": r"(?:ok(?:ay)?|please|got it|understood|alright|all right|deal|agreed|capisce|clear)\W*$",
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
        r"(?:one|option|version|approach|solution|way|variant|idea|suggestion|design)|"
        r"the (?:first|second|third|last|other|previous|above|following|new|old|current|latest) "
        r"(?:file|function|method|class|test|line|test case)|"
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
}
