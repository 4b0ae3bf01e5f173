/** Sentences that end in this line. */
const earlier = /^.*(?:[.!?…]\s|[。！？])\s*/u;
const words = '(?: \\S+){1,12}';
/** Announcements of an action by language: the words that start it, and verbs of actions that tools do. */
const announcements = [
  `(?:(?:ok(?:ay)?|so|now|first|next|then|alright|right|well),? ){0,3}(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i am going to|(?:i |we )?need to|i have to|i must|i should) (?:(?:now|first|just|quickly|also|then) ){0,2}(?:check|look|get|fetch|find|search|read|list|run|call|use|query|open|retrieve|inspect|verify|try|start|set|create|update|send|write|add|edit|see|view|load|test|compute|calculate|convert|book|schedule)${words}`,
  `(?:ich werde|ich muss|lass mich)${words} (?:prüfen|nachsehen|abrufen|suchen|lesen|holen|aufrufen)`,
  `(?:je vais|laissez-moi) (?:vérifier|chercher|consulter|lire|regarder|appeler)${words}`,
  `(?:voy a|déjame|vou|deixe-me) (?:consultar|buscar|leer|verificar|revisar|comprobar|ler|chamar|llamar)${words}`,
  '(?:好的?，)?(?:现在|首先|接下来)?，?(?:让我|我来|我先|我需要|我要|我将)[先来再]?(?:查|看|搜|获取|读|调用|运行|检查|使用|列|找|创建|更新|设置|确认)[^，；：、]{0,40}',
];
const announced = new RegExp(`^(?:${announcements.join('|')})$`, 'iu');
/** Words with which an action is considered, doubted, denied or quoted. */
const weighed =
  /(?<!\p{L})(?:not?|never|nothing|neither|nor|\p{L}{2,5}n['’]t|if|whether|would|could|might|maybe|perhaps|instead|or|but|unless|without|avoid|refuse|why|what|how|like|such|says?|said|nicht|nie|kein\p{L}{0,2}|ob|wie|was|oder|aber|pas|jamais|si|comment|ou|mais|nunca|sin|cómo|pero|não|sem|como)(?!\p{L})|["“”„«»`<>{}[\]:]|[不没别吗或若如假什怎]/iu;

/** Whether a line announces the speaker's next action without a full stop: "Let me check the time". */
export function announcesAct(line: string): boolean {
  const said = line.trim();
  return /[\p{L}\p{N})]$/u.test(said) && announced.test(said.replace(earlier, '')) && !weighed.test(said);
}
