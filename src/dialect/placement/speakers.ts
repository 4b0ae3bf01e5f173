import { begins } from './place.ts';

/** The user in the official languages of the EU and its neighbours, and in the most spoken ones of the world. */
const users = [
  'user',
  'human',
  'benutzer(?:in)?',
  'nutzer(?:in)?',
  'anwender(?:in)?',
  'utilisat(?:eur|rice)',
  'usuari[oa]?',
  'usuári[oa]',
  'utilizador(?:a)?',
  'utente?',
  'gebruiker',
  'användare',
  'bruker',
  'bruger',
  'notandi',
  'käyttäjä',
  'kasutaja',
  'lietotājs',
  'naudotojas',
  'vartotojas',
  'użytkownik',
  'uživatel',
  'užívateľ',
  'používateľ',
  'uporabnik',
  'korisnik',
  'корисник',
  'felhasználó',
  'utilizator',
  'úsáideoir',
  'χρήστης',
  'потребител',
  'пользователь',
  'користувач',
  'карыстальнік',
  'kullanıcı',
  'përdoruesi',
  'משתמש',
  '用户',
  '用戶',
  '使用者',
  'ユーザー?',
  '利用者',
  '사용자',
  '(?:ال)?مستخدم',
  'کاربر',
  'صارف',
  'उपयोगकर्ता',
  'उपयोक्ता',
  'यूज़र',
  'वापरकर्ता',
  'ব্যবহারকারী',
  'ਵਰਤੋਂਕਾਰ',
  'વપરાશકર્તા',
  'பயனர்',
  'వినియోగదారు(?:డు)?',
  'ಬಳಕೆದಾರ',
  'ഉപയോക്താവ്',
  'người dùng',
  'pengguna',
  'pangguna',
  'gumagamit',
  'ผู้ใช้',
  'အသုံးပြုသူ',
  'mtumiaji',
  'mai amfani',
  'ተጠቃሚ',
].join('|');
/** Words for someone who talks to an assistant, which may also be the key of a value. */
const partners =
  'q|you|me|customer|client|guest|visitor|caller|person|kunde|kundin|gast|du|ich|vous|moi|cliente|tú|yo|você|eu|клиент|вы|я|客户|客戶|顾客|我|你|お客様|고객';
const assistants =
  'assistant|assistent|asistente?|assistente|avustaja|asszisztens|asystent|βοηθός|עוזר|ассистент|помощник|ai|ki|ia|ии|a\\.i\\.|(?:chat)?bot|chatgpt|gpt|бот|助手|助理|机器人|機器人|アシスタント|ボット|어시스턴트|챗봇|المساعد|सहायक';
/** Words for an assistant that may be the key of a value too. */
const agents = 'a|agent|agente|агент|model|support';
/** What a label may add to the word: what it introduces, a number, a time or a name in brackets. */
const more =
  '(?: (?:input|message|prompt|turn|says|reply))?(?: ?#?\\d{1,4})?(?:[*_]{0,2} ?[(\\[][^()\\[\\]\\n]{1,24}[)\\]])?';
const label = (words: string): string => `[^\\p{L}\\p{N}]{0,6}(?:${words})${more}[^\\p{L}\\p{N}:：]{0,3}[:：]`;
/** A label without a colon: in brackets, like a prompt, or alone in its line as a heading or in bold. */
const marked = (words: string): string =>
  `\\s{0,3}(?:[[【](?:${words})${more}[\\]】](?!\\()|(?:${words})${more}>|(?:#{1,6} |[*_]{2})(?:${words})${more}[*_]{0,2}\\s*$)`;
/** A label that a sentence may start with as well: in bold, a tag, or before a dash. */
const faint = (words: string): string =>
  `\\s{0,3}(?:[*_]{2}(?:${words})${more}[*_]{2}|<(?:${words})>|(?:${words})${more} ?[—–])`;
/** The heading of a task in templates of prompts. */
const task = '#{2,4} ?instruction:';

const userLabel = new RegExp(`${label(users)}|${marked(users)}|${task}`, 'iuy');
const partnerLabel = new RegExp(`${label(partners)}|${marked(partners)}|${faint(`${users}|${partners}`)}`, 'iuy');
const assistantLabel = new RegExp(`${label(assistants)}|${marked(assistants)}|${faint(assistants)}`, 'iuy');
const agentLabel = new RegExp(label(agents), 'iuy');
/** The label of another speaker, with nothing after it. */
const otherSpeaker = new RegExp(
  `${label(`${users}|system|customer`)}[^\\p{L}\\p{N}]{0,3}$|[+-]\\w{1,20}[:：]\\s*$`,
  'iuy',
);
/** The label of a speaker of a transcript. */
const speakerLabel = new RegExp(label(`${users}|assistant|system`), 'iuy');

/** How long a label can be. */
const longestLabel = 48;
const endsLabel = new Set([...':：>]】*_—–'].map((one) => one.charCodeAt(0)));

/** Whether a line may begin with a label: one of the signs that end it is near its start, or the line is a heading. */
function hasLabel(line: string): boolean {
  for (let at = 0; at < line.length && at < longestLabel; at++) {
    const code = line.charCodeAt(at);
    if ((code < 128 || code > 0x2000) && endsLabel.has(code)) return true;
  }
  return line[0] === '#';
}

/** Who speaks in a line of a transcript; undefined if it has no label of a speaker. */
export function speakerOf(line: string): 'user' | 'partner' | 'assistant' | 'agent' | undefined {
  if (!hasLabel(line)) return undefined;
  if (begins(userLabel, line)) return 'user';
  if (begins(partnerLabel, line)) return 'partner';
  if (begins(assistantLabel, line)) return 'assistant';
  return begins(agentLabel, line) ? 'agent' : undefined;
}

/** Whether a line belongs to a transcript by its label. */
export const isSpeakersLine = (line: string): boolean => hasLabel(line) && begins(speakerLabel, line);

/** Whether a line consists of the label of another speaker, or of a line of a difference. */
export const labelsOther = (line: string): boolean => begins(otherSpeaker, line);

const userWord = new RegExp(`^(?:${users})$`, 'iu');
const assistantWord = new RegExp(`^(?:${assistants})$`, 'iu');
/** Whether a word stands for the user, or for an assistant, in any language. */
export const isUser = (word: string): boolean => userWord.test(word);
export const isAssistant = (word: string): boolean => assistantWord.test(word);
