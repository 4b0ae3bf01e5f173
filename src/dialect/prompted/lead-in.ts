import { endsInQuestion } from '../placement/question.ts';
import type { Fence } from './fences.ts';

/** How many characters before and after a call are searched. The limit keeps reading linear. */
const reach = 400;

/** Converts a table entry to a pattern; `*` matches any letters. */
const word = (one: string): string => one.replaceAll('*', '\\p{L}*').replaceAll(' ', '\\s+');
/** Matches whole words only: `not`, but neither `note` nor `do-not-reply`. */
const anyOf = (...rows: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_@-])(?:${rows.join(', ').split(', ').map(word).join('|')})(?![\\p{L}\\p{N}_-])`, 'iu');

/** English negations. In the sentence before a call they refer to the call, unless the sentence announces it. */
const english = anyOf(
  "not, never, nor, none, nothing, neither, cannot, dont, wont, cant, \\p{L}+n['’]t, refuse*, refusing, beware, forbidden, withheld, unable, unsent, unexecuted",
  'no (?:call|action|tool|function|one|way|longer|circumstance)*',
  '(?:have|has|had|is|are|was|were|been|got) (?:declined|rejected|denied|blocked|aborted|skipped|prohibited|disallowed)',
  'i (?:decline|reject|deny|declined|rejected|denied) (?:this|that|to|it)',
);
const verdict =
  /^(?:\P{L}*\p{L}+:)?\P{L}*(?:no|rejected|denied|forbidden|blocked|refused|declined|aborted|skipped|cancell?ed|reverted|prohibited|wrong|bad|incorrect|invalid)\b(?: \p{L}+)?\P{L}*$/iu;
/** A sentence that announces a call. A negation in it concerns a detail of the task. */
const announces =
  /^\P{L}*(?:(?:sure|okay|ok|so|therefore|thus|now|then|finally|next)\P{L}+)?(?:here(?:['’]s| is| are) (?:the|my|your)|i(?:['’]ll| will| am going to|['’]m going to)|let(?:['’]s| me)|to)\s+(?!not\b|never\b|be clear)/iu;

/** Negations in other languages, one row each. Scripts without spaces follow below. */
const words = anyOf(
  'nicht, nichts, nie, niemals, niemand*, kein*, nein, (?:lehne|verweigere) (?:ich|das|dies*), ich weigere, abgelehnt*, verboten, untersagt',
  'no (?:he|ha|hemos|han|se|lo|la|los|las|voy|vamos|debe*|puedo|podemos|ejecut*|env[ií]*|llam*|hag*|us*), nunca, jamás, tampoco, ningun*, ningún, nada, me niego, prohibid*',
  "ne(?=\\s+\\p{L}), n['’]\\p{L}+, pas, jamais, aucun*, rien, non(?=\\s+\\p{L}), je refuse, interdit*",
  'não, nenhum*, nem, me recuso, recuso-me, proibid*',
  'nessun*, niente, nulla, mi rifiuto, vietat*',
  'niet, niets, nooit, niemand, geen, weiger ik, ik weiger, geweigerd, verboden',
  'nigdy, żad*, odmawiam, odrzucon*, zabronion*',
  'не, нет, ни, никогда, нельзя, ничего, отказываюсь, запрещен*, запрещён*, отклонен*, ні, ніколи, немає, заборонен*, никога',
  'inte, aldrig, ingen, inget, ej, ikke, aldri, vägrar, nekter, förbjud*, forbudt',
  'ei, eikä, älä, älkää, emme, eivät, en (?:ole|aja|suorita|lähetä|tee|voi|aio|kutsu|käytä)',
  'nikdy, nesm*, ne(?:spou|ode|prov|vol|bud|dě)*, nem, soha, tilos, nu, niciodată, refuz',
  'değil, yok, hayır, asla, sakın, reddet*, redded*, \\p{L}+m[ae](?:d[ıi](?:m|k|niz|nız)?|y[ıi]n(?:iz|ız)?|yece(?:ğim|ğiz|k)|yaca(?:ğım|ğız|k)|m[ıi]ş)',
  'δεν, μην, μη, ποτέ, όχι, αρνούμαι',
  'لا, لم, لن, ليس, ليست, ممنوع, أرفض, أبدا, أبدًا, نه, هرگز, نباید, نکن*, نکرد*, نمی*, نہیں, مت',
  'לא, אל, אין, אסור, לעולם',
  'नहीं, मत, न, कभी, ना, না, নয়, নেই, \\p{L}\\p{M}*\\S*নি',
  'không, đừng, chưa, chớ, tidak, jangan, bukan, belum, huwag',
);
const signs =
  /不(?!过|過|同|错|仅|僅|但|客气)|没(?!问题)|沒(?!問題)|未(?!来|來)|勿|(?:^|[，,。请請])别|禁止|我拒绝|我拒絕|被拒绝|被拒絕|拒否し|(?<!すみ)ません|ない(?!容)|なかった|않|(?:^|\s)안\s|마세요|말아|말 것|못|없|금지|거부|거절[했합]|아닙|ไม่|อย่า|ห้าม|[❌🚫⛔✗✘🛑]/u;
/** Phrases with a negation that refuse nothing. */
const harmless =
  /(?:n['’]t|\bnot) (?:need(?!\p{L}* to (?:run|send|call|execute|do|make|invoke))|necessary|required)|\b(?:no (?:problem|worries|doubt|need)|not (?:a problem|only)|nothing (?:but|else)|kein problem|pas de (?:problème|souci)|(?:sin|sem) problema|(?:no hay|nessun|geen) (?:problem\p{L}*|probleem))/giu;

/** A negation that reports missing information, which is not a refusal. */
const lacks =
  /(?:n['’]t|\b(?:not|cannot|never))\s+(?:\p{L}+\s+){0,2}(?:provid|specif|contain|giv|mention|stat|includ|suppl|suit|defin|know|clear|sure|have (?!permission|authori|access|leave|the right)|match|support|exist|available|appl|possible with)\p{L}*|\b(?:no|nothing|none) (?:\p{L}+ ){0,3}(?:provid|specif|giv|mention|found|information)\p{L}*|, not (?:an?|the)\b/giu;
/** A refusal without a negation. */
const barred =
  /\b(?:nobody|(?:access|permission|request|action|call) (?:was |is |has been )?(?:denied|declined|rejected|refused|blocked|dropped|turned down)|turned (?:it |this |that )?down|decided against|(?:left|kept|remains?) (?:un\p{L}+|as (?:it|they) (?:is|was|are|were))|no \p{L}+ (?:\p{L}+ )?(?:taken|deleted|removed|changed|sent|executed|made|run|called|written|created|done))\b/iu;
/** "I close it now": the negation before it gives the reason for the call. */
const doesNow = /^\P{L}*(?:i|we)\b[^:]*\bnow\P{L}*$/iu;
const turns = /^\P{L}*(?:however|therefore|thus|nevertheless|instead|still)\b/iu;

/** A sentence that says something was not done. It also counts further up, with another sentence in between. */
const undone =
  /\b(?:do not|don['’]t|never|won['’]t|will not|would not|wouldn['’]t|did not|didn['’]t|have not|haven['’]t|has not|hasn['’]t|refused? to|declined? to|not going to|must not|mustn['’]t|should not|shouldn['’]t|not (?:yet )?been|was not|were not|nothing (?:was|is|has been|of this (?:was|is)))\s+(?:\p{L}+\s+){0,2}(?:run|ran|sen[dt]|execut\p{L}*|call(?:ed)?|done?|perform(?:ed)?|ma[dk]e|invoked?|used?|follow(?:ed)?|compl(?:y|ied)|submit(?:ted)?|appl(?:y|ied)|proceed(?:ed)?)\b|\b(?:what|how) not to\b/iu;
/** Verbs for executing a call, in other languages. */
const acts =
  /ausf|ausgef|send|schick|ruf|tu[en]|mach|befolg|ejecut|envi|llam|hag|hac|hech|realiz|exécut|envo|appel|fai|lanc|execut|cham|faz|faç|feit|esegu|invi|chiam|uitvo|uitge|verstu|verzo|aanroep|gedaan|wykon|wys|uruch|wywo|выполн|отправ|запус|вызва|вызыв|дела|执行|執行|发送|發送|调用|調用|运行|運行|照做|実行|送信|呼び出|실행|전송|보내|호출|نفذ|نفيذ|رسل|رسال|تشغيل|चला|भेज|निष्पाद|çalıştır|gönder|çağır/iu;

const source =
  '(?:docs?|documentation|manual|readme|logs?|tickets?|e-?mails?|mails?|messages?|pages?|websites?|threads?|transcripts?|histor(?:y|ies)|changelogs?|spec(?:ification)?s?|pipelines?|reports?|prompts?|tutorials?|wikis?|articles?|issues?|comments?|payloads?|traces?|audits?|archives?|backups?|files?|exports?|posts?|letters?|notes?|chats?|templates?|tests?)';
const speaks =
  '(?:says?|said|shows?|showed|contain(?:s|ed)?|asks?|asked|wants?|wanted|tells?|told|tries|tried|instruct(?:s|ed)?|sent|wrote|attempt(?:s|ed)|ends with|demand(?:s|ed)?)';
const leave = '(?:approval|permission|consent|go-ahead|sign-off|confirmation|approved)';
const like = (pattern: string): RegExp => new RegExp(pattern, 'iu');
/** Sentences that attribute the call to another source or time, or make it depend on a condition. */
const elsewhere: readonly RegExp[] = [
  // The call is an example.
  /(?<![@.\p{L}/-])(?:examples?(?!\.\p{L})|e\.g\.|for (?:instance|reference|documentation|illustration|the record|(?:your|later) (?:documentation|reference|information|review|records?|inspection))|illustrat\p{L}+|hypothetical\p{L}*|demonstrat\p{L}+|reference only|sample (?:call|request|output|invocation|answer))/iu,
  /\b(?:an?|any|such an?|this kind of|typical) (?:\p{L}+ ){0,3}(?:call|request|invocation|command|action|answer)s? (?:would|could|might|can|may|should|looks?)\b/iu,
  /^\P{L}*(?:format|syntax|usage|signature|schema|template|placeholder|documentation|preview|dry run|draft|expected(?: \p{L}+){0,4})\P{L}*$/iu,
  /\b(?:what|how) (?:\p{L}+ ){1,4}(?:(?:would |might |could )?looks? like|is written)\b|\b(?:simulated|in theory)\b|\bwithout (?:running|sending|calling|executing|making)\b/iu,
  /\bcalls? (?:that|which) (?:was|were|got|failed|caused)\b|\bcall (?:is|was) (?:\p{L}+ )?(?:invalid|dangerous|wrong|blocked)\b|\b(?:bad|wrong|invalid|rejected|such a|dangerous) call\b/iu,
  // The call comes from another source.
  /\b(?:attackers?|injected|injections?|jailbreak|(?:malicious|phishing|suspicious|hidden) (?:\p{L}+ ){0,3}(?:instruction|prompt|command|call|request|text)s?)\b/iu,
  like(`\\b${source} (?:\\p{L}+ ){0,3}${speaks}\\b`),
  like(
    `\\b(?:came|comes|taken|copied|quoted|pasted|seen|shown|appears?|stood|stands|recorded|logged|reported|according|calls?|requests?|commands?|steps?|lines?|snippets?) (?:\\p{L}+ ){0,2}(?:from|in|by|on|of|to) (?:\\p{L}+ ){0,3}${source}\\b`,
  ),
  like(
    `(?:^\\P{L}*|,\\s*|^\\P{L}*\\p{L}+\\s+)(?:from|out of) (?:the|this|that|your|our|an?|my) (?:\\p{L}+ ){0,2}${source}\\P{L}*$`,
  ),
  /^\P{L}*(?:the |an? )?(?:audit |access |error |event |chat |server |build )?(?:log|transcript|trace|changelog)(?:\s+(?:from|of|for|entry|entries|lines?|file|excerpt)\b|,|\P{L}*$)/iu,
  /\b(?:the|an) (?:other|previous|old|earlier|older) (?:assistant|agent|model|bot|version|run|session)\b/iu,
  /(?<!\b(?:user|customer|client|you|i) (?:also |just )?)\b(?:wanted|told|urged|begged|instructed|tricked) (?:me|us) (?:to|into)\b/iu,
  // The call was made earlier.
  /\b(?:was|were|got|been) (?:\p{L}+ ){0,2}(?:sent|executed|run|called|rejected|refused|issued|submitted|attempted|cancell?ed|reverted|withdrawn|stopped|intercepted)\b/iu,
  /\b(?:sent|ran|called|executed|issued|wrote|tried|attempted|submitted) (?:this|the following|it|that|these)\b/iu,
  /\b(?:would|could|should|might) have\b|(?<!\b(?:you|user) )\b(?:pasted|answered|produced|wrote|replied|returned|emitted|posted|printed|said)\P{L}*$|\b(?:stopped|paused|halted) before\b/iu,
  // The call needs approval.
  /\blet me know\b|\btell me (?:if|whether)\b|\b(?:has|have|needs?|must)(?: to)? (?:approve|confirm|agree)\b|\byourself\b|^\P{L}*(?:please )?(?:reply|type|say)\b(?! to)/iu,
  /\b(?:if|once|when|after|until|unless) (?:[\p{L}'’]+ ){1,3}(?:agree|approve|confirm|consent|say|want|wish|insist|allow|permit|sign|accept|like)(?:s|d|ed)?\b/iu,
  like(
    `\\b(?:your|her|his|their|our|prior|explicit|written|without|needs?|requires?|required|waiting for|await\\p{L}*|pending|after|upon|once|if|until|unless) (?:\\p{L}+ )?${leave}\\b`,
  ),
  /\b(?:please confirm|confirm by|repl(?:y|ying) with|respond with|(?:instead of|rather than) (?:run|send|call|execut|do)\p{L}*ing)\b/iu,
];
/** The same in other languages: examples, attackers, documents and approval. */
const others = anyOf(
  'beispiel*, z\\.\\s?B\\., (?:zur )?illustration, angreifer*, (?:im|laut|aus dem) (?:log|protokoll|ticket|handbuch)*, aus (?:der|einer|ihrer|deiner) (?:doku|e-mail|mail|nachricht|anleitung|seite)*, laut (?:der|einer) \\p{L}+, ihre[rn]? (?:freigabe|bestätigung|zustimmung|genehmigung), (?:wenn|falls|sobald) (?:sie|du|ihr)',
  'ejemplo*, p\\.\\s?ej\\., atacante*, según (?:la|el) \\p{L}+, pedía, decía, si (?:usted )?(?:confirm|aprueb|quier|acept)*, su (?:aprobación|confirmación)',
  "exemple*, attaquant*, d['’]après (?:la|le) \\p{L}+, demandait, disait, si vous (?:confirm|approuv|voul|accept)*, votre (?:approbation|accord|confirmation)",
  'exemplo*, pedia, dizia, se você (?:confirm|aprov|quis)*, sua (?:aprovação|confirmação)',
  'esempio, esempi, aggressore, attaccante, chiedeva, diceva, se (?:conferm|approv|vuol|vuoi|acconsent)*, (?:sua|tua|vostra) (?:approvazione|conferma)',
  'voorbeeld*, bijvoorbeeld, aanvaller*, volgens (?:de|het) \\p{L}+, als u (?:bevestig|akkoord|goedkeur)*, uw (?:goedkeuring|bevestiging)',
  'przykład*, napastnik*, atakując*, jeśli (?:potwierdz|zgadz|zgodz)*',
  'пример*, например, злоумышленник*, согласно \\p{L}+, если вы (?:подтверд|соглас)*, приклад*, наприклад, зловмисник*',
  'exempel*, eksempel*, angripare*, esimerk*, příklad*, például, péld*, exemplu*, παράδειγμα*, παραδείγματος',
  'örnek*, örneğin, saldırgan*, onaylarsa*',
  'مثال, مثلا, مثلاً, المهاجم, مهاجم, דוגמה, לדוגמה, תוקף',
  'उदाहरण, हमलावर, ví dụ, contoh*, misalnya, المثال, například',
  // Conditionals: what a call would look like.
  '(?:wäre|sähe|würde)n?, skulle (?:vara|se), ville (?:sett*|se|være), serai(?:t|ent), ressemblerai(?:t|ent), (?:ser|ver)ían?, seriam?, sarebber?o?, olisi, näyttäisi, by (?:vypadal|byl)*, olurdu, görünürdü, \\p{L}+łoby, zou(?:den)? (?:\\p{L}+ ){0,3}(?:zijn|eruitzien), бы, би, б, ar arăta, nézne, θα έμοιαζε, sẽ trông, akan seperti, سيبدو, होगा, दिखता, דומה',
);
const scripts =
  /例如|示例|例子|比如|样例|範例|攻击者|攻擊者|日志(?:中|里|显示)|文档(?:中|里)|来自|來自|请确认|請確認|确认后|確認後|例えば|たとえば|次のようになり|会是这样|會是這樣|같을 것|생겼을|例[：:]|の例|サンプル[：:]|攻撃者|ログ(?:に|では|から|によ)|ドキュメント(?:に|では|から)|예시|예를|예[：:]|공격자|로그에|문서에|승인하|ตัวอย่าง/u;

/** Prompted models often answer with "Here is an example" and a code fence that contains the real call. */
const inCode = /\bhere(?:['’]s| is) (?:an?|the) (?:[\p{L}-]+ ){0,2}example\b/giu;

/** Code, quotations and tags in a sentence. Their words don't count. */
const spoken = /`[^`\n]*`|"[^"\n]*"|“[^”]*”|«[^»]*»|「[^」]*」|(?<!\p{L})'[^'\n]*'(?!\p{L})|<[^<>\n]{1,60}>/gu;
/** Text that belongs to the start of a call: a fence, label, bracket, quote, tag or assignment. */
const openers =
  /(?:(?:`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t\r]*\n|<[^<>\n]{1,40}>|(?:^|\n)[ \t]*[\w.]+[ \t]*=[ \t]*$|\bprint\($|\breturn[ \t]+$|[\s[({'"`*_>•-]|(?:^|\n)[ \t]*\d{1,3}[.)])+$/iu;
const sentenceEnd = /(?<!\b(?:e\.g|i\.e|z\. ?B|p\. ?ej|vs|Nr|No))[.!?…](?=\s)|[。！？।؟]|\n[ \t\r]*\n/giu;

/** Splits the text before a call into sentences. */
function sentencesBefore(near: string): string[] {
  return near
    .replace(spoken, ' ')
    .replace(harmless, '')
    .split(sentenceEnd)
    .map((one) => one.trim())
    .filter((one) => /\p{L}|\p{Extended_Pictographic}/u.test(one));
}

/** The text before a call, without the start of the call itself. */
const wordsBefore = (text: string, from: number, start: number): string =>
  text.slice(Math.max(from, start - reach), start).replace(openers, '');
/** The last paragraph of that text. */
const paragraphBefore = (text: string, from: number, start: number): string =>
  wordsBefore(text, from, start)
    .split(/\n[ \t\r]*\n/)
    .at(-1) ?? '';

const deniesElsewhere = (one: string): boolean => words.test(one) || signs.test(one);
/** Whether a sentence says that something was not done. */
const isUndone = (one: string): boolean => undone.test(one) || (acts.test(one) && deniesElsewhere(one));
/** Whether a sentence in the paragraph before a call refuses something. */
const refuses = (one: string): boolean => {
  const left = one.replace(lacks, '');
  return english.test(left) || barred.test(left) || verdict.test(left) || deniesElsewhere(left);
};
/** The sentences after the last "however" or "therefore", which cancels a refusal before it. */
const behindTurn = (sentences: readonly string[]): readonly string[] =>
  sentences.slice(1 + sentences.findLastIndex((one) => turns.test(one)));
/** Whether the sentence before a call refuses it or attributes it to another source. */
const disowns = (one: string): boolean =>
  (english.test(one) && !announces.test(one)) ||
  verdict.test(one) ||
  deniesElsewhere(one) ||
  others.test(one) ||
  scripts.test(one) ||
  elsewhere.some((way) => way.test(one));

/**
 * Whether the text before a call shows that the model did not make it: a refusal, a question, an example or another source.
 * The sentence right before the call counts in full. Earlier sentences count only if they refuse something.
 */
export function isDisowned(
  text: string,
  from: number,
  start: number,
  fence: Fence | undefined,
  isCode: boolean,
): boolean {
  const comment = fence
    ? (/(?:^|\n)[ \t]*#+([^\n]*)\n[^\n]*$/.exec(text.slice(Math.max(fence.body, start - reach), start))?.[1] ?? '')
    : '';
  const at = fence ? Math.max(from, fence.open) : start;
  const before = sentencesBefore(wordsBefore(text, from, at));
  const [last = ''] = before.slice(-1);
  const lead = isCode ? last.replace(inCode, '') : last;
  return (
    endsInQuestion(wordsBefore(text, from, at)) ||
    disowns(lead) ||
    disowns(comment) ||
    before.some(isUndone) ||
    (!doesNow.test(last) && behindTurn(sentencesBefore(paragraphBefore(text, from, at)).slice(0, -1)).some(refuses))
  );
}

/** Whether the sentence after the calls says that they were not made. */
export function isTakenBack(text: string, end: number): boolean {
  const behind = text
    .slice(end, end + reach)
    .replace(/^(?:[\s\])}'"`*;,~]|\/?>)+/, '')
    .replace(spoken, ' ')
    .replace(harmless, '');
  const [first = ''] = behind.split(sentenceEnd, 1);
  return undone.test(first) || deniesElsewhere(first);
}
