import { begins } from './place.ts';

/** The user in the languages that models write most, as the label of a turn. */
const users = [
  ...['user', 'human', 'benutzer(?:in)?', 'nutzer(?:in)?', 'utilisat(?:eur|rice)', 'usuari[oa]', 'usuári[oa]'],
  ...['utilizador', 'utente', 'gebruiker', 'użytkownik', 'kullanıcı', 'пользователь', 'користувач', '用户', '用戶'],
  ...['使用者', 'ユーザー?', '사용자', 'المستخدم', 'उपयोगकर्ता', 'người dùng', 'pengguna', 'ผู้ใช้'],
].join('|');
/** Words for someone who talks to an assistant, which may also be the key of a value. */
const partners =
  'you|me|customer|client|guest|visitor|caller|person|kunde|kundin|gast|du|ich|vous|moi|cliente|tú|yo|você|eu|клиент|вы|я|客户|客戶|顾客|我|你|お客様|고객';
const assistants =
  'assistant|assistent|asistente|assistente|ассистент|помощник|ai|ki|ia|ии|a\\.i\\.|(?:chat)?bot|chatgpt|gpt|бот|助手|助理|机器人|機器人|アシスタント|ボット|어시스턴트|챗봇|المساعد|सहायक';
/** Words for an assistant that may be the key of a value too. */
const agents = 'agent|agente|агент|model|support';
const label = (words: string): string => `[^\\p{L}\\p{N}]{0,4}(?:${words})[^\\p{L}\\p{N}:：]{0,3}[:：]`;

const userLabel = new RegExp(label(users), 'iuy');
const partnerLabel = new RegExp(label(partners), 'iuy');
const assistantLabel = new RegExp(label(assistants), 'iuy');
const agentLabel = new RegExp(label(agents), 'iuy');
/** The label of another speaker, with nothing after it. */
const otherSpeaker = new RegExp(
  `${label(`${users}|system|customer`)}[^\\p{L}\\p{N}]{0,3}$|[+-]\\w{1,20}[:：]\\s*$`,
  'iuy',
);
/** The label of a speaker of a transcript. */
const speakerLabel = new RegExp(label(`${users}|assistant|system`), 'iuy');

/** How long a label can be. */
const longestLabel = 24;

/** Whether a line may begin with a label. */
function hasLabel(line: string): boolean {
  for (let at = 0; at < line.length && at < longestLabel; at++) {
    const code = line.charCodeAt(at);
    if (code === 58 || code === 0xff1a) return true;
  }
  return false;
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
