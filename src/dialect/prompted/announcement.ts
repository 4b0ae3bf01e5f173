/** Longer texts and sentences don't announce a call. The limits keep reading linear. */
export const longest = 4000;
const longestSentence = 600;

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Verbs for making a call, and verbs for the tasks that tools do. Words in a tool's name also count as tasks. */
const acts = wordsIn('call do execute invoke make perform run use');
const tasks = wordsIn(
  'accomplish achieve add address analyse analyze answer book build calculate change check close compare complete compute construct convert create determine draw estimate fetch find fulfil fulfill gather generate get handle help identify locate meet modify obtain open order pass plan play plot predict process provide query retrieve satisfy save search send set solve sort specify start store tackle train turn update write',
);

/** Code, quotations, tags and names of code. They count as one word, whatever they say. */
const quoted = /`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|(?<!\p{L})'[^'\n]*'(?!\p{L})|<[^<>\n]{1,60}>/gu;
const identifier = /[\p{L}\p{N}]+(?:(?:[._]|\\_)+[\p{L}\p{N}]+)+(?:\([^()\n]*\))?/gu;
const fence = /^[ \t]*(?:`{3,}|~{3,}).*$/gm;
/** A constant that code sets before its call, and a call in a comment. */
const constant =
  /^[ \t]*#[ \t]*[\w.]+\([^\n]*\)[ \t]*$|^[ \t]*[A-Za-z_]\w*[ \t]*=(?!=)[ \t]*(?:\{[^{}]*\}|\[[^[\]]*\]|[^\n]*)$/gm;
/** Text that belongs to the start of a call: a fence, bracket, quote, tag or assignment. */
const openers =
  /(?:(?:`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t\r]*\n|<[^<>\n]{1,40}>|(?:^|\n)[ \t]*[\w.]+[ \t]*=[ \t]*$|\bprint\($|\breturn[ \t]+$|[\s[({'"`*_>•-]|(?:^|\n)[ \t]*\d{1,3}[.)])+$/iu;
/** The end of a sentence, a paragraph, a line that ends in a colon, or an item of a list. */
const ends =
  /(?<!\b\p{Lu}|^[ \t]*\d{1,3})[.!…](?=\s+[^\p{Ll}\s]|\s*$)|(?<=[?？])(?=\s)|[。！]|\n[ \t\r]*\n|:[ \t]*\n|\n(?=[ \t]*(?:[-*•+]|\d{1,3}[.)])\s)/gmu;

/** The text before a call, without the start of the call itself. */
export const withoutOpener = (text: string): string => text.replace(openers, '');

/** Splits prose into sentences, in small letters, without the marks around them. */
const split = (text: string): string[] =>
  text
    .replaceAll('’', "'")
    .split(ends)
    .map((one) => one.replace(/^(?:[\s*_#•+-]|\d{1,3}[.)]\s)+|[\s*_:：.!]+$/g, '').toLowerCase());

/** The sentences of prose, without code. */
export const sentencesOf = (text: string): string[] =>
  split(text.replace(fence, '').replace(constant, '').replace(quoted, 'x').replace(identifier, 'x')).filter((one) =>
    /[\p{L}\p{Extended_Pictographic}?]/u.test(one),
  );

/** The start of a call, without tags, because they may contain words. */
const begun = /(?:(?:^|\n)[ \t]*[\w.]+[ \t]*=[ \t]*|\bprint\(|\breturn[ \t]+)[\s[({'"`*]*$/;

/** The sentences before a call, with every word of code, quotations, comments and tags in them, except for markers. */
export const sentencesIn = (text: string): string[] =>
  split(
    text
      .replace(fence, '')
      .replace(begun, '')
      .replace(/<\/?[\w:|.-]{1,40}>/g, ' '),
  );

/** Builds one pattern per sentence form. `says` checks the groups `verb` and `rest`. */
const rows = (...patterns: readonly string[]): readonly RegExp[] =>
  patterns.map((pattern) => new RegExp(`^(?:${pattern})$`, 'u'));

/** Opening words without meaning of their own: "Sure, so …". */
const start =
  /^(?:(?:sure(?: thing)?|certainly|of course|absolutely|alright|okay|ok|great|yes|got it|understood|no (?:problem|worries))(?![\p{L}-])[,.!]*\s*)?(?:(?:so|therefore|thus|hence|now|first|then|next|finally|lastly|however|also|and)\b,?\s*){0,2}/u;
/** "To answer the question, …" and "Based on the functions, …". */
const purpose =
  /^(?:in this case|based on|given|once|from|using|with|for|since|in order to|to)\b[^:]*?,\s+(?=(?:here|i|we|you|let|the|it|based|make)\b)/;

const kind =
  '(?:(?:actual|api|appropriate|correct|corresponding|final|first|following|json|necessary|needed|next|python(?: 3)?|requested|required|right|two|three|four) )*';
const call = '(?:(?:function|tool|api) )?calls?(?:\\(s\\))?';
/** What the call is for. `goal` adds the task. */
const which =
  '(?:(?:the|your|this|these|each|both|all|two|three|given|above|required|requested|provided|necessary|correct|following|python|3|json|first|second) )*';
const task = '(?:requests?|requirements?|questions?|tasks?|quer(?:y|ies)|problems?)';
const about = `(?: (?:for ${which}${task}|(?:with|using) ${which}(?:parameters?|arguments?|values?)|in ${which}(?:format|syntax|python|json|3)|(?:that (?:solves?|answers?|meets?)|to) (?:the|your) (?:\\p{L}+ )?${task}))*`;
const goal = '(?:(?: that can be used| required)? to (?<verb>\\p{L}+) .+)?';
const now = '(?:(?:now|first|also|then|just) )*';

/** Sentences that announce a call. */
const announcements = rows(
  `here(?:'s| is| are) (?:the |my |your )?${kind}${call}${about}${goal}`,
  `(?:here(?:'s| is| are) )?the ${kind}${call} (?:that )?(?:i|we) (?:will|would|can|need to) (?:make|use)(?: are| is)?(?: to (?<verb>\\p{L}+) .+)?`,
  `the ${kind}(?:function|tool|api)(?: (?:(?:that )?(?:you|we|i) need(?: to (?:use|call))?|to (?:use|call)|to (?<verb>\\p{L}+) .+))? (?:is|would be)(?: x(?: with .+)?)?`,
  `(?:the|this|it)\\b.* can be (?:calculated|computed|determined|found|obtained|retrieved|solved) (?:using|with) the (?:function |tool )?x(?: function| tool| api)?(?: with the following (?:parameters|arguments))?`,
  `let(?:'s| me| us) (?:(?:break (?:down )?|process |handle |address |tackle )(?:it|them|this|(?:your|these|the) (?:requests?|questions?|tasks?))(?: down)?(?: one by one| into .+)|(?:now )?proceed with (?:the|this) (?:(?:function|api|tool) )?(?:calls?|request|calculation))`,
  '(?:1st|2nd|3rd|\\dth) (?:question|request|task)',
  `(?:here(?:'s| is) )?the ${kind}(?:answer|solution|code|calculation|request)${about}${goal}(?: is| is as follows)?`,
  `(?:the )?${kind}(?:function|tool|api) calls?(?:\\(s\\))?${about}${goal} (?:(?:is|are)(?: as follows)?|(?:would|should|will) (?:be|look like(?: this)?))`,
  `the ${kind}calls?${about}${goal} (?:is|are)(?: as follows)?`,
  `the following ${call} can be (?:used|made)(?: to (?<verb>\\p{L}+) .+)?`,
  `(?:(?:i|we)(?:'ll| will|'m going to| am going to| are going to| need to)|let(?:'s| me| us)) ${now}(?<verb>\\p{L}+)(?<rest>.*)`,
  `i ${now}(?!(?:do|execute|invoke|make|perform|run|use|call) )(?<verb>\\p{L}+)(?<rest>.*)`,
  `i ${now}(?:call|use|invoke|run)(?: (?:the )?(?:(?:function|tool) )?x(?: function| tool)?)?(?: for (?:this|that|it))?(?: now)?`,
  "(?:i'll|i will|let me) look (?:it|that|this|them) up(?: now)?",
  'we can (?:now )?(?:use|call|invoke) (?:the )?(?:.+ )?(?:functions?|tools?|x)(?: .*)?',
  'here (?:it is|you go|we go)|answer|final answer|calling (?:functions?|tools?)|(?:function|tool) calls?',
  "hier ist der (?:funktions)?aufruf|voici l'appel(?: de (?:la )?fonction)?|aquí está la llamada(?: a la función)?|函数调用如下",
);
/** Sentences that introduce code for a stated task. */
const ways = rows(
  "here(?:'s| is) how(?: (?:you|we|i|it|the \\p{L}+) (?:can|would|could|might) \\p{L}+(?: .*)?)?",
  '(?:you|we) (?:can|would|need to|would need to) (?:use|call|invoke) .*(?:functions?|tools?|x|code|calls?)(?: .*)?',
  'here are the (?:function calls|requests) (?:that )?(?:you|we|i) (?:can|would|need to|would need to) make(?: .*)?',
);
/** The same, also as the first sentence of a response. */
const first = rows(
  'the .+ (?:is|are) given by',
  "here(?:'s| is) how (?:we|i) can (?<verb>\\p{L}+) (?:it|that|the|these|this|those)\\b.*",
);
/** Announcements after a purpose: "To find a door, you can call `find_door` with the following parameters". */
const purposed = rows(
  'you can (?:call|use|invoke) (?:the )?x(?: function| tool)? with the following (?:parameters|arguments)',
  '(?:i|we) would (?:need to )?(?:call|invoke|make|use) (?:the )?(?:following )?(?:(?:function|tool) )?(?:x|calls?)\\b.*',
  '(?<verb>\\p{L}+) .+ using the x(?: function| tool)?',
);
/** Introduces one of several announced calls: "2. For the second city:". */
const items = rows(
  'for .+|(?:the )?(?:first|second|third|fourth|last|next)(?: (?:call|question|task|one))?',
  '(?:to )?(?<verb>\\p{L}+) .+',
  "(?:the calls?|it|this) (?:would|should|will) (?:be|look(?: like(?: this)?)?)|here(?:'s| is) how (?:it|this|that) would look|we have",
  'the (?:required |necessary )?parameters? (?:for|of) (?:this|the)(?: x)? function (?:is|are) .+',
  'the (?:result|output)s? (?:will|would) be .+|combine (?:the |these )?(?:two |three |four )?(?:function )?calls into (?:one|a(?: single)?) list|response',
);
/** Introduces the first of several calls. */
const tasked = rows('to (?<verb>\\p{L}+) .*\\bx\\b.*');
/** Introduces a list of arguments. */
const listing =
  /\b(?:parameters|arguments)\b.*(?: are(?: as follows)?$)|^here are the parameters$|\bwith the following (?:parameters|arguments)$/;
/** A label or an argument in an announced list of calls. */
const labels = rows("(?!or\\b)[\\p{L}\\d(][\\p{L}\\d'(),$%.: /-]{0,99}");
/** Sentences allowed before an announcement: they restate the task or name the tool for it. */
const restatements = rows(
  "i(?:'d| would|'ll| will|'m| am)? (?:be )?(?:can |happy to |glad to )*(?:help|assist|guide)(?: .*)?",
  "(?:i|we|you)(?:'ll| can| could| will| would| should)?(?: first| also| only)?(?: need to| have to| recommend)? (?:first |also |only )*(?<verb>\\p{L}+?)(?:ing)? .+",
  '(?:the |this |these |both |each |it )?(?:[\\p{L}-]+ ){0,3}(?:functions?|tools?|apis?|parameters?|arguments?|x)\\b.* (?:requires?|takes?|expects?|needs?|seems? to be|(?:is|are|(?:will|would|should) be) (?:the|an?|as|x|set|needed|required|able|used|optional|for|in|\\d)|only|can|will)\\b.*',
  '(?:the|this|these|it|both)\\b.* can be (?:used|solved|calculated|retrieved|obtained|answered|found)\\b.*',
  'it (?:takes|requires|needs|will) .+',
  '(?:here, )?(?:the |this |your )(?:[\\p{L}-]+ ){0,2}(?:question|request|task|user) (?:is asking|asks|requires|wants|needs|is) .+',
  "let(?:'s| us) (?:break|assume) .+",
  '(?:the|there|in|each|\\d+)\\b[^:]* (?:is|are) (?:[^:]* )?(?:\\d|x).*',
  'the one that (?:seems|can) .+|(?:i have determined|it looks like|it seems) .+',
  'the (?:provided |given )?(?:text|prompt|question|problem)s? (?:also )?(?:asks|describes|gives|mentions|provides|states) .+',
  'the (?:function|tool) call (?:for|to) .+ should be made\\b.*|it would be necessary to (?:call|use) .+|here are the parameters',
  '(?:i|we) (?:can |need to )?(?:assume|know) .+|this will (?:allow|give|provide|return) .+',
  '(?<verb>\\p{L}+) .+',
  'x(?:: .*)?|[^\\p{L}]*(?:(?:x|print)[^\\p{L}]*)*',
);
/** Phrases that contain a word of doubt but express none. */
export const written =
  /^no (?:problem|worries)|(?:would|should) (?:be|look(?: like(?: this)?)?)(?: x(?: with .+)?)?$|\b(?:i|we) would (?=(?:need to )?(?:call|invoke|make|use)\b)|\b(?:check|determine|find out|see) (?:if|whether)\b|^the (?:result|output)s? would\b|^once (?:you|we) have the (?:correct|right|required) (?:\p{L}+ )?format, |(?<=\bthe function call to .{1,200}) if (?!you|i|we|he|she|they)(?=.{1,200} (?:is|are)$)/gu;
const omitted = rows(
  "(?:.*, )?(?:i|we) (?:will not|do not need to|don't need to) (?:give|include|pass|provide|set|specify) .+",
  '(?:the |this |these )(?:[\\p{L}]+ ){0,2}(?:functions?|parameters?)\\b.* do(?:es)? not (?:\\p{L}+ly )?(?:address|contain|include|mention|provide|require|specify) .+',
  'the (?:first|second|third|last) (?:call|one) will (?!not |never |be )\\p{L}+ .+',
  "i'm sorry for (?:any|the) confusion, but the (?:provided |given )?function only (?:accepts|allows|takes) .+",
);

/** Words that rule out an announcement: negations, conditions, other times, other speakers, examples, requests for approval. */
const denied =
  "not|\\p{L}+n't|never|no(?:ne|thing|body)?|neither|nor|cannot|unable|unfortunately|sorry|without (?:run|send|call|execut|mak|do|your|approv|permis)\\p{L}*|if|unless|until (?:you|i|we|he|she|they|it|approv)\\p{L}*|once (?:you|i|we|he|she|they|it|the|this|approv)\\p{L}*|was|were|had|did|been|ought|examples?|e\\.g|sample (?:call|request|output|answer)|illustrat\\p{L}*|demonstrat\\p{L}*|hypothe\\p{L}*|simulat\\p{L}*|pretend|imagine|suppose|wrong|mistakes?|yourself|approv\\p{L}*|confirm\\p{L}*|permission|consent|someone|attackers?|malicious|pending|await\\p{L}*";
const unsure =
  'would|could|might|should|may|when|whenever|whether|before|after|later|tomorrow|tonight|soon|instead|rather|always|every|often|usually|normally|typically|generally|sometimes|daily|nightly';
const word = (words: string): RegExp => new RegExp(`[?？]|(?<![\\p{L}@-])(?:${words})(?![\\p{L}-])`, 'u');
export const denials = word(denied);
const doubts = word(`${denied}|${unsure}`);
/** Nouns for text. A sentence about text describes a call instead of announcing it. */
const writings =
  'outputs?|json|yaml|answers?|notes?|pages?|formats?|syntax|tests?|templates?|samples?|text|documents?|docs|reviews?|injected|injections?|hidden|understand|scripts?';
const spokenOf = new RegExp(
  `\\b(?:calls?|requests?|commands?|snippets?|lines?|code|messages?|logs?|tickets?|quotes?|following|this one|${writings})\\b`,
  'u',
);
const writing = new RegExp(`\\b(?:${writings})\\b`, 'u');
/** Objects of a verb for making a call: a function, its name or a pronoun. */
const callable =
  /\b(?:functions?|tools?|apis?|calls?|calculations?|search|x)\b|^ ?(?:it|this|that|so)?(?: now| immediately| right away)?$/u;

/** Returns the words in the names of the tools. */
const wordsOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(
    names.flatMap((name) =>
      `${name} ${name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')}`.toLowerCase().split(/[^\p{L}]+/u),
    ),
  );

/** Whether a sentence has one of these forms, with a verb for a call or a task. */
const says = (ways: readonly RegExp[], sentence: string, known: ReadonlySet<string>): boolean =>
  ways.some((way) => {
    const found = way.exec(sentence);
    const { verb, rest = '' } = found?.groups ?? {};
    if (!found || verb === undefined) return found !== null;
    if (acts.has(verb)) return found.groups?.rest === undefined || (callable.test(rest) && !writing.test(rest));
    const others = rest.replace(/\p{L}+/gu, (one) => (known.has(one) ? '' : one));
    return (tasks.has(verb) || known.has(verb)) && !spokenOf.test(others);
  });

/** Position of a call: after other calls, in code, one of several, or directly after a sentence. */
interface Standing {
  readonly follows?: boolean;
  readonly inCode?: boolean;
  readonly several?: boolean;
  readonly glued?: boolean;
}

/**
 * Whether the text before a call announces it. The announcement must be one of a closed set of sentences, and every
 * sentence before it must restate the task. Unknown words and other languages announce nothing.
 */
export function isAnnounced(text: string, names: readonly string[], where: Standing = {}): boolean {
  if (text.length > longest) return false;
  const { follows = false, inCode = false, several = false, glued = false } = where;
  const sentences = sentencesOf(withoutOpener(text));
  const known = wordsOf(names);
  let announced = follows;
  let listed = false;
  return sentences.every((sentence, at) => {
    if (sentence.length > longestSentence) return false;
    const said = sentence.replace(start, '').replace(purpose, '').replace(purpose, '');
    const sure = sentence.replace(written, '');
    const isFirst = at === 0 && said === sentence && !/ to \p{L}/u.test(said);
    const heard = glued ? said.replace(written, '') : sure;
    const [denied, doubted] = [denials.test(heard), doubts.test(heard)];
    if (listing.test(said)) listed = true;
    const announces =
      said === '' ||
      (!doubted &&
        (says(announcements, said, known) ||
          (said !== sentence && says(purposed, said, known)) ||
          (several && says(tasked, said, known)))) ||
      (inCode && !denied && (says(first, said, known) || (!isFirst && says(ways, said, known))));
    if (announces) announced = true;
    if (announces || (announced && !doubted && says(items, said, known))) return true;
    const isLast = at === sentences.length - 1 && !follows;
    if ((announced || (listed && !isLast)) && several && !doubted && says(labels, said, known)) return true;
    if (isLast && !(announced && inCode)) return false;
    if (glued && !doubted) return true;
    return says(omitted, said, known) || (!denied && says(restatements, said, known));
  });
}

/** Verbs for tasks of tools that only read, beside those above. */
const looks = wordsIn(
  'begin browse count examine explore grab inspect investigate list load look pull read review scan see start try verify view',
);
const doing = '(?:quickly |just |now |first |also |then )*';
/** Sentences that lead up to a call: the model speaks of what it does now or next, or numbers a step. */
const natural = rows(
  `(?:(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to|'m about to| need to| have to| want to| must| can)?|let(?:'s| me| us)) ${doing}(?<verb>\\p{L}+)(?<rest>.*)`,
  `(?:(?:i'm|i am|we're|we are) )?${doing}(?<ing>\\p{L}+ing)(?<rest>.*)`,
  "(?:let(?:'s| me| us)|i'll|i will|we'll) (?:have|take) a (?:\\p{L}+ )?look.*",
  '(?:i|we) (?:first |also |now )*need (?!you|your|him|her|them|some(?:one|body))(?<rest>.*)',
);
const step =
  /(?:^|\n)[\s*_#>]*(?:step \d{1,2}\b|\d{1,2}[.)]\s|(?:first|second|third|next|then|now|finally)\b[,:])[^\n]*$/i;
/** Verbs for showing or repeating text. */
const telling =
  /\b(?:show|quot|past|copy|copi|cit|explain|describ|mention|repeat|print|display|present|tell|sa(?:y|id)|wr(?:it|ot)|look(?:s|ed)? like|suggest|propos|recommend|paraphras|summari|report|attempt)\p{L}*|\b(?:you|your|he|she|they|his|her|their|someone)\b/u;

/** Nouns for calls, which a sentence shows or compares. */
const shownCall = /\b(?:calls?|commands?|snippets?|code|quotes?|following|this one)\b/u;

/**
 * Whether the text before a call leads up to it: the last sentence tells what the model does, and no sentence denies,
 * doubts, asks or speaks of text. For a tool that doesn't only read, a title (`Closing a door`) isn't enough.
 */
export function leadsUp(text: string, names: readonly string[], reads: boolean): boolean {
  if (text.length > longest) return false;
  const lead = withoutOpener(text);
  const sentences = sentencesOf(lead);
  const known = wordsOf(names);
  const other = (said: string): string => said.replace(/\p{L}+/gu, (one) => (known.has(one) ? '' : one));
  if (
    sentences.some((one) => {
      const said = other(one);
      return one.length > longestSentence || doubts.test(said) || writing.test(said) || telling.test(said);
    })
  )
    return false;
  const last = (sentences.at(-1) ?? '').replace(start, '');
  const isTask = (verb: string): boolean => tasks.has(verb) || looks.has(verb) || known.has(verb);
  const leads = natural.some((way) => {
    const { verb, ing, rest = '' } = way.exec(last)?.groups ?? {};
    if (verb === undefined && ing === undefined) return way.test(last);
    const stem = ing?.slice(0, -3) ?? '';
    const forms = verb === undefined ? [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')] : [verb];
    if (forms.some((one) => acts.has(one))) return callable.test(rest);
    const isTitle =
      ing !== undefined &&
      (!reads ||
        /^\W*\d*$/.test(rest) ||
        /(?:^|\n)#[^\n]*$/.test(lead) ||
        (/^ an? /.test(rest) && !/[.!]$/.test(lead)));
    return !isTitle && forms.some(isTask) && !(reads ? shownCall : spokenOf).test(other(rest));
  });
  return sentences.length === 0 || leads || (step.test(lead) && !spokenOf.test(other(last)));
}

const remarks = rows(
  'assuming x is (?:the|your) .+',
  '(?:for|first|second|third|last|next|define|print|output)\\b.*|(?<verb>\\p{L}+)(?<rest>.*)',
);

/** Whether a comment in code says what the call below it does. */
export function isRemark(comment: string, names: readonly string[]): boolean {
  const known = wordsOf(names);
  return sentencesOf(comment).every(
    (sentence) =>
      !doubts.test(sentence) &&
      (sentence.split(/[^\p{L}]+/u).some((one) => known.has(one)) || says(remarks, sentence, known)),
  );
}
