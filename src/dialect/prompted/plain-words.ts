import { isObject } from '../../json/value.ts';
import { sentencesIn } from './announcement.ts';

/** Words that come from the call after a text, as stems. */
export interface CallWords {
  /** What the tools do: the first word of their descriptions, and that of their names if it isn't another word of the name. */
  readonly verbs: ReadonlySet<string>;
  /** The words of their names. */
  readonly names: ReadonlySet<string>;
  /** The same, and the words of the descriptions, of the given parameters and their values, and of the user's task. */
  readonly all: ReadonlySet<string>;
}

/** The maximum number of characters to compare in each text, so that reading stays linear. */
const longest = 4000;

/** A word with its contraction; signs that are no punctuation count as words, too. */
const token = /[\p{L}\p{N}]+(?:'\p{L}+)?|[^\s\p{P}\p{L}\p{N}\p{M}$+<>=`]/gu;
const tokensOf = (text: string): readonly string[] => text.toLowerCase().replaceAll('’', "'").match(token) ?? [];
/** Splits a name: `closeTicket`, `close_ticket2`. */
const partsOf = (name: string): readonly string[] =>
  tokensOf(name.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|_/gu, ' '));

/** The common stem of `close`, `closes`, `closed` and `closing`. */
function stemOf(word: string): string {
  const bare = word.replace(/'s?$/, '');
  if (!/^[a-z]{4,}$/.test(bare)) return bare;
  const stem = bare
    .replace(/(?<=[a-z]{2})ies$/, 'y')
    .replace(/(?<=[a-z]{2}(?:s|x|z|ch|sh))es$|(?<=[a-z]{2}[^s])s$/, '')
    .replace(/(?<=[a-z]{3})(?:ing|ed|ion|ions)$/, '');
  return stem.replace(/([^aeiousl])\1$/, '$1').replace(/(?<=[a-z]{2})[ey]$/, '');
}

const stemsOf = (words: readonly string[]): string[] => words.map(stemOf);
const setOf = (text: string): ReadonlySet<string> => new Set(stemsOf(text.split(' ')));

/** Verbs for making a call, whatever it does. */
const neutral = setOf('call do execute invoke make perform run use');
/** Words that don't change a call: no time except `now`, no condition, no doubt, no other speaker. */
const harmless = setOf(
  "i we me us i'll we'll i'm we're let let's here here's it's is are be will am going need the a an this that these those it its them each both all to for with of in and which using use make invoke run execute perform do call function tool api request question query task problem answer solution code parameter argument value format syntax json python list below following correct appropriate required necessary needed corresponding specific actual requested suitable now immediately also just name so therefore thus hence one two three four x",
);
const ordinals = setOf('first second third fourth fifth 1st 2nd 3rd');
const later = setOf('then next finally last');

/** Words for times and conditions. From a description, a long value or a task they say when a call is made. */
const turning = setOf(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december second minute hour day week month quarter year today tonight morning noon afternoon evening night midnight weekend time date end begin start next last previous upcoming future past early late soon already ago yet still only case condition provide assume subject depend require upon agree accept approve allow permit consent sign signature review draft ask wait hold keep skip pass decline deny reject refuse cancel stop avoid ignore prevent postpone delay defer plan schedule down off aside out on back over up by at from about',
);

/** The keys of arguments, each alone and with its values. */
export function fieldsIn(value: unknown, key = '', depth = 4): readonly (readonly [key: string, value: string])[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [[key, String(value).slice(0, longest)]];
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, 50).flatMap((one) => fieldsIn(one, key, depth - 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [[name, ''] as const, ...fieldsIn(one, name, depth - 1)]);
}

/** A value of so few words is named in full; a longer one may say anything. */
const fewWords = 4;

/** A call, as far as the words before it are compared with it. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** Collects the words that come from calls. */
export function callWords(calls: readonly WrittenCall[], describe: (name: string) => string, task: string): CallWords {
  const verbs = new Set<string>();
  const names = new Set<string>();
  const all = new Set<string>();
  const add = (words: readonly string[], to = all): void => {
    for (const one of stemsOf(words)) to.add(one);
  };
  const addSafe = (words: readonly string[]): void => add(words.filter((one) => !turning.has(stemOf(one))));
  for (const { name, arguments: given } of calls) {
    const described = tokensOf(describe(name).slice(0, longest));
    const parts = stemsOf(partsOf(name));
    const [first = ''] = stemsOf(described.slice(0, 1));
    // In `cancel_order` and `order_cancel`, only the first word of the description says what the tool does.
    const acts = parts.includes(first)
      ? [first]
      : [first, ...stemsOf(partsOf(name.replace(/^.*[.:]/, ''))).slice(0, 1)];
    for (const act of acts) verbs.add(act);
    for (const part of parts) names.add(part);
    addSafe(described);
    for (const value of fieldsIn(given).flat()) {
      const words = [...tokensOf(value), ...partsOf(value)];
      if (tokensOf(value).length <= fewWords) add(words);
      else addSafe(words);
    }
  }
  addSafe(tokensOf(task.slice(0, longest)));
  for (const one of [...verbs, ...names]) all.add(one);
  return { verbs, names, all };
}

/** Sentences without a free part. */
const helps =
  "i(?:'d| would|'ll| will)? (?:(?:can|be happy to|be glad to) )?(?:help|assist)(?: you)?(?: with (?:this|that|it|your (?:request|question|task)))?";
const steps =
  "let(?:'s| me| us) (?:process|handle|address|tackle) (?:it|them|this|these|(?:your|these|the) (?:requests?|questions?|tasks?)) one by one";
const closed = new RegExp(
  `^(?:here (?:it is|you go|we go)|hier ist der (?:funktions)?aufruf|voici l'appel(?: de (?:la )?fonction)?|aquí está la llamada(?: a la función)?|函数调用如下|${helps}|${steps})$`,
  'u',
);
/** Phrases whose words are harmless only together. */
const goals = '(?:requests?|questions?|quer(?:y|ies)|tasks?|problems?|requirements?)';
const phrases = new RegExp(
  [
    '^(?:first|however|finally), ',
    '\\bbased on\\b|\\bin (?:this case|order)\\b|\\bright away\\b|\\bpython 3\\b',
    '\\b(?:as follows|for you)$|\\bas (?:you )?(?:asked|instructed|requested|said)\\b|\\bas (?:an?|the) (?=parameter|argument)',
    `\\byour (?=${goals}\\b)|\\bto (?:accomplish|achieve|address|fulfill?|handle|meet|satisfy|solve) (?=(?:it|this|that|(?:this|that|these|the|your) ${goals})\\b)`,
    '\\b(?:given|provided) (?=(?:functions?|tools?|apis?|parameters?|arguments?|values?|questions?|requests?|format)\\b)|\\bprovided information\\b',
    '\\bby (?=\\p{L}+ing\\b)|\\bfinal (?=(?:answer|(?:function |tool )?calls?)\\b)',
    '^the (?:user|question|request|task) (?:asks|wants|requires|is asking)(?: me| us)? (?=to\\b)',
    '(?<=\\b(?:function|tool|api)) (?:can be used|requires|takes|expects)\\b',
    ' (?:would|should) (?:be|look like)(?: this)?$(?<=\\b(?:function|tool|api)\\b.*)',
  ].join('|'),
  'gu',
);
/** Other words for making a call now. */
const proceeds = /\b(?:proceed (?:with|to)|go ahead and)(?= )/gu;
const polite =
  /^(?:(?:sure(?: thing)?|certainly|of course|absolutely|alright|okay|ok|great|yes|got it|understood|no (?:problem|worries))(?![\p{L}-])[,.!]*\s*)/u;
/** The verb after its subject, or of a purpose, and what it is about. */
const verbs =
  /(?<![\p{L}'])(?:(?:i|we)(?:'ll| will|(?:'m| am|'re| are) going to| need to)?|let(?:'s| me| us)|^to|(?:apis?|calls?|functions?|needed|required|tools?) to) (?:(?:now|just|also|first|then) )*(?!(?:will|am|are|need|now|just|also|answer|the|an?|this|that|x)\b)(\p{L}+)(?=((?: (?:the|this|that|an?|these|those|its|all|both|each))* \p{L}+)?)/gu;
/** What a verb of the tool isn't about, unless the tool is: `close with this`, `close this question`. */
const elsewhere = setOf(
  'with for in to of function tool api call request question query task problem answer solution code parameter argument value format syntax json python list',
);

/** The object of a call: a tool or what it does. Other calls are phone calls. */
const called = /\bcall(?:s|ing)?(?: (?:to|with|for|the|an?|this|that))* (\p{L}+)/gu;

/** The position of a text: before one of several calls, or after another call. */
interface Standing {
  readonly several: boolean;
  readonly follows: boolean;
}

/**
 * The words of a text before calls that nothing accounts for: neither harmless words nor the calls themselves. A verb of
 * the model must be one for making a call, or one of the tool's.
 */
export function strangeWords(text: string, words: CallWords, { several, follows }: Standing): readonly string[] {
  return sentencesIn(text).flatMap((sentence) => {
    const said = sentence.replace(polite, '');
    if (closed.test(said)) return [];
    const rest = said
      .replace(proceeds, (one) => (one.endsWith('with') ? 'use' : 'now'))
      .replace(phrases, '')
      .replace(/ {2,}/g, ' ')
      .trim();
    const known = (word: string): boolean => {
      const stem = stemOf(word);
      return (
        harmless.has(stem) || words.all.has(stem) || (several && ordinals.has(stem)) || (follows && later.has(stem))
      );
    };
    const acts = [...rest.matchAll(verbs)].flatMap(([, verb = '', about = '']) => {
      const object = stemOf(about.split(' ').at(-1) ?? '');
      if (neutral.has(stemOf(verb))) return [];
      return words.verbs.has(stemOf(verb)) && (words.names.has(object) || !elsewhere.has(object)) ? [] : [verb];
    });
    const objects = [...rest.matchAll(called)].map(([, noun = '']) => stemOf(noun));
    return [
      ...tokensOf(rest).filter((word) => !known(word)),
      ...acts,
      ...objects.filter((noun) => !harmless.has(noun) && !words.verbs.has(noun) && !words.names.has(noun)),
    ];
  });
}
