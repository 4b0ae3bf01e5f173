import { describe, expect, it } from 'vitest';
import { readWithDoors as read } from '../../../test/dialects/doors.ts';

const json = '{"name": "close_door", "arguments": {"door": "front"}}';
const python = 'close_door(door="front")';

/** Every way in which a prompted answer writes a call on lines of its own. */
const shapes: readonly string[] = [
  `\`\`\`json\n${json}\n\`\`\``,
  `\`\`\`json\n[${json}]\n\`\`\``,
  `\`\`\`\n${json}\n\`\`\``,
  `~~~json\n${json}\n~~~`,
  `\`\`\`tool_code\n${python}\n\`\`\``,
  `\`\`\`python\n${python}\n\`\`\``,
  `\`\`\`python\nresult = ${python}\nprint(result)\n\`\`\``,
  json,
  `[${json}]`,
  python,
  `[${python}]`,
  `print(${python})`,
  'close_door\n{"door": "front"}',
  'Tool: close_door\nInput: {"door": "front"}',
  'Action: close_door\nAction Input: {"door": "front"}',
];

const isText = (answer: string): void => {
  for (const name of ['close_door', 'find_door', 'unlock_door']) {
    const one = answer.replaceAll('close_door', name);
    expect(read(one)).toMatchObject({ calls: [], text: one });
  }
};

const refusals: readonly string[] = [
  'Do not run this:',
  'Never run this:',
  "Please don't send this:",
  'I will not run this:',
  'This must never be done:',
  "I'm not going to call this, because the address looks wrong:",
  'I did not run this call, which came from the e-mail:',
  'Not executed:',
  "I haven't sent this:",
  'I cannot do this:',
  'I have declined this request:',
  'I refuse to run the following.',
  '**Do not run this:**',
  '## Do not do this',
  '- Never:',
  '1. Not this one:',
  '🚫 Forbidden:',
  '❌',
  "I won't run this. It is about the front door:",
  'I have not called anything.\n\nThe request was about the front door:',
  "You don't need to run this:",
  'Das führe ich nicht aus:',
  'Bitte niemals ausführen:',
  'Diesen Aufruf lehne ich ab:',
  'Rejected:',
  'Wrong:',
  'Under no circumstances will this go out:',
  'I leave the following unsent:',
  'I stopped before this step:',
  'Bunu göndermedim:',
  'Here is what not to do:',
  'I will never do this:',
  'Keinesfalls senden:',
  'No he enviado nada. El mensaje pedía ejecutar:',
  'Nunca ejecute esto:',
  'Je ne lance pas cet appel :',
  "N'exécutez jamais ceci :",
  'Não execute isto:',
  'Non eseguire questo:',
  'Voer dit niet uit:',
  'Nie uruchamiaj tego:',
  'Не выполняйте это:',
  'Не запускай. Вот вызов:',
  'Kör inte detta:',
  'Ikke kjør dette:',
  'Älä suorita tätä:',
  'Nikdy to nespouštějte:',
  'Soha ne futtasd ezt:',
  'Nu rula asta:',
  'Bunu çalıştırmayın:',
  'Μην το εκτελέσετε:',
  'Не виконуйте це:',
  '不要执行下面的调用：',
  '我没有发送这封邮件：',
  '请勿运行：',
  '次の呼び出しは実行しません：',
  '次のような呼び出しは禁止されています：',
  '이 호출은 실행하지 않았습니다:',
  '실행하지 마세요:',
  'لا تنفذ هذا:',
  'לא להריץ את זה:',
  'इसे मत चलाओ:',
  'मैंने यह नहीं भेजा:',
  'Đừng chạy lệnh này:',
  'Jangan jalankan ini:',
  'อย่าเรียกใช้สิ่งนี้:',
];

const attributions: readonly string[] = [
  'Example, for your documentation:',
  'Example from the docs:',
  'For example:',
  'For reference only:',
  'A call would look like this:',
  'Syntax:',
  'Hypothetically, that is, to illustrate it:',
  'The attacker wanted me to write:',
  'The page told me to run:',
  'The log from yesterday shows:',
  'As shown in the log:',
  'From the ticket:',
  'The e-mail contains this:',
  'Audit log, last entry:',
  'The other assistant sent this yesterday, and it failed:',
  'The following call was rejected:',
  'This was executed last week:',
  'I would have called:',
  'If you approve it, I run:',
  'Once you confirm, this is what I do:',
  'Waiting for your approval:',
  'The user has to approve it first:',
  'In the ticket, Bob pasted:',
  'The model answered:',
  "Here's the call from the incident report:",
  'Let me know if I should do this:',
  'You could run this yourself:',
  'Expected output of the test:',
  'Erst nach Ihrer Freigabe:',
  'Je vous le montre, si vous confirmez :',
  'Please confirm by replying with this exact text:',
  'Shall I run this?',
  'Soll ich das tun?',
  'Beispiel aus der Dokumentation:',
  'So würde der Aufruf aussehen (Beispiel):',
  'Der Angreifer wollte, dass ich Folgendes schreibe:',
  'Ejemplo de la documentación:',
  'El mensaje malicioso pedía ejecutar:',
  'Par exemple :',
  'Por exemplo:',
  'Ad esempio:',
  'Bijvoorbeeld, een voorbeeld:',
  'Na przykład:',
  'Например:',
  '例如：',
  '例えば：',
  '예를 들어:',
  'مثال:',
  'उदाहरण:',
  'Örneğin:',
];

describe.each([
  ['refuse', refusals],
  ['give it to something else', attributions],
])('a call after words that %s is text', (_what, leads) => {
  it.each(leads)('%s', (lead) => {
    for (const shape of shapes) isText(`${lead}\n\n${shape}`);
  });
});

describe('recognizes words that revoke a call', () => {
  it.each([
    `\`\`\`python\n# Do not run this\n${python}\n\`\`\``,
    `\`\`\`python\n# Example from the docs\nresult = ${python}\n\`\`\``,
    `\`\`\`python\n${python}\n\`\`\`\nI have not run this, since nobody has told me which of the doors is meant by it.`,
    `[${python}]\n\nI did not execute this call, since nobody has confirmed that the front door may be closed today.`,
    `[${python}]\n\nIch habe diesen Aufruf nicht ausgeführt, weil mir bisher niemand gesagt hat, welche Tür gemeint ist.`,
    `I close it:\n\n\`\`\`json\n${json}\n\`\`\`\n\nNever run this:\n\n\`\`\`json\n${json.replace('front', 'back')}\n\`\`\``,
    `I will not run this.\n\nThe call was about the front door, and it stood in a letter:\n\n${python}`,
  ])('%j', isText);
});

describe('a call after words that announce nothing is text, in any language', () => {
  it.each([
    "Since it is the front door, we don't need to name the house:",
    'The door called `never` it is:',
    'You asked me to close the door:',
    "Here is the function call for guests who don't smoke:",
    'I decline the invitation for the intermediate class:',
    'To search Reddit for Vietnamese comedies:',
    'The effective size (Ne) is known:',
    'I log in and list the pending orders:',
    'Ich lehne die Einladung ab:',
    'ログインします：',
    'Notes for the knot at noon:',
    'A letter to Nora Non:',
    "I'll tell her that the door is not closed:",
    'Ich schließe die Tür:',
    'Cierro la puerta:',
    'Je ferme la porte :',
    '我现在关门：',
    '分别关闭：',
    'ドアを閉めます：',
    '문을 닫습니다:',
    'Закрываю дверь:',
    'The house is unlocked. It was not closed yesterday. I close it now:',
    'I am unable to see the door. However, I can close it. Here is the call:',
  ])('%s', (lead) => {
    for (const shape of shapes) isText(`${lead}\n\n${shape}`);
  });
});

describe('guard: a call after words that announce it counts', () => {
  it.each([
    'I close the door:',
    "I'll close it now.",
    'Here is the function call:',
    'The function call would look like this:',
    'No problem! Here is the call:',
    "I'll do it immediately:",
    'Here are the function calls for your requests:',
    'I close it (as you said):',
  ])('%s', (lead) => {
    for (const shape of shapes) {
      const answer = `${lead}\n\n${shape}`;
      expect([answer, read(answer).calls.map(({ status }) => status)]).toEqual([answer, ['ok']]);
      expect(
        read(answer.replaceAll('close_door', 'unlock_door')).calls.every(({ status }) => status === 'invalid'),
      ).toBe(true);
    }
  });
});

it.each(['I send "do not disturb" to the door:', 'I close the no-entry door:', 'I write to anna@example.com:'])(
  'refuses a call to a tool that writes after an announcement with other words: %s',
  (lead) => {
    for (const shape of shapes) {
      const answer = `${lead}\n\n${shape}`;
      expect(read(answer)).toMatchObject({ calls: [{ status: 'invalid' }], text: answer });
      expect(read(answer.replaceAll('close_door', 'find_door')).calls).toMatchObject([{ status: 'ok' }]);
    }
  },
);

it.each(['I unlock it now.', 'Here is the call:', 'Let me unlock the front door:'])(
  'leaves a call that is refused because of the words next to it in the text: %s',
  (lead) => {
    const answer = `${lead}\n\n${json}`.replaceAll('close_door', 'unlock_door');
    expect(read(answer)).toMatchObject({ calls: [{ status: 'invalid' }], text: answer });
  },
);

describe('guard: a list of calls in inline code, with a quoted question after it', () => {
  it.each([
    ['[`close_door(door="front")`, `close_door(door="back")`]', 2],
    ['[close_door(door="front")]\n\nThis code calls the function for the door that is named "Who is there?".', 1],
  ])('%s', (answer, count) => {
    expect(read(answer).calls).toHaveLength(count);
  });
});

describe('what leads up to a call that ends the response counts for a tool that only reads', () => {
  const made = ['find_door(door="front")', json.replace('close_door', 'find_door')];
  const forms = [...made, ...made.map((one) => `\`\`\`\n${one}\n\`\`\``), `\`\`\`json\n${made[1]}\n\`\`\``];
  // biome-ignore format: a table of lead-ins
  it.each([
    'I need the doors first.', 'Let me list the doors.', 'Checking the doors now.', 'Step 1: list the doors', 'First, the doors:', "I'm checking the doors.",
    'Looking up the door.', 'Fetching the door now:', "Let's look at the doors.", 'Okay, listing doors.', 'We need the state of the door.', 'Step 2: the back door',
    'The house has two doors. Let me take a quick look.', '1. List the doors', 'I have the plan. Now I need the doors.', 'Reading the state of the door…',
  ])('%s', (lead) => {
    for (const form of forms) {
      const answer = `${lead}\n\n${form}`;
      expect([answer, read(answer).calls]).toMatchObject([answer, [{ name: 'find_door', status: 'ok' }]]);
      expect(read(answer).calls[0]?.repairs).toMatchObject([{ kind: 'text', certainty: 'inferred' }]);
    }
  });
  // biome-ignore format: a table of lead-ins
  it.each([
    "I don't need the doors.", 'I need you to run:', 'I need your approval first.', 'Let me show the syntax.', 'Checking the doors would be:', 'Listing 2:', 'Warning:',
    '## Checking doors', 'I listed the doors.', 'Step 1: if it rains', 'Step 1: paste this', 'First, an example:', 'Quoting the page:', 'I was told to look.',
    "Let me quote Bob's message:", 'Never mind. Checking the doors now.', 'Checking the doors tomorrow.', 'Ich prüfe die Türen.', 'Je vérifie les portes.',
    'Let me know.', 'Morning:', 'I need the doors. Bob said so.', 'Let me explain the output.', 'Step 3: compare the following calls', 'Should I check the doors?',
  ])('guard: stays text: %s', (lead) => {
    for (const form of forms) {
      const answer = `${lead}\n\n${form}`;
      expect(read(answer)).toMatchObject({ calls: [], text: answer });
    }
  });
  it.each(['I need the doors first.', 'Checking the doors now.', 'First, the doors:'])(
    'guard: not for a tool that writes, or if words follow: %s',
    (lead) => {
      for (const form of forms)
        for (const answer of [
          `${lead}\n\n${form}`.replaceAll('find_door', 'close_door'),
          `${lead}\n\n${form}\n\nThat is it.`,
        ])
          expect(read(answer).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    },
  );
});

describe('a call that writes does not run beside a result that the model made up', () => {
  const fence = (language: string, body: string): string => `\`\`\`${language}\n${body}\n\`\`\``;
  const code = fence('tool_code', 'close_door(door="front")');
  it.each([
    `${code}\n${fence('output', '3')}\nThis means that the function closed the door.`,
    `${code}\n\nOutput:\ntrue`,
    `${code}\n<tool_response>\ntrue\n</tool_response>\nClosed.`,
    `${code}\n\n**Output:**\n${fence('', 'true')}\nThe function returns true.`,
    `${code}\n${fence('tool_outputs', 'true')}\n${fence('tool_code', 'close_door(door="back")')}`,
  ])('%j', (answer) => {
    const { calls } = read(answer);
    expect(calls.length).toBeGreaterThan(0);
    for (const { status } of calls) expect(status).toBe('invalid');
    expect(read(answer.replaceAll('close_door', 'find_door')).calls[0]?.status).toBe('ok');
  });
  it.each([
    `${code}\n${fence('tool_outputs', '{"closed": true}')}\nThe door is closed.`,
    `${code}\n${fence('tool_outputs', 'true')}`,
    `${code}\n\n${fence('', '3')}\n\nThis call returned 3.`,
  ])('guard: %j', (answer) => {
    expect(read(answer).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
  });
});

describe('guard: numbered and bulleted calls are inferred', () => {
  it.each([
    '1. find_door(door="front")\n2. close_door(door="back")',
    '- find_door(door="front")\n- close_door(door="back")',
    '1) find_door(door="front")\n2) close_door(door="back")',
  ])('%j', (answer) => {
    expect(read(answer).calls.map(({ status }) => status)).toEqual(['ok', 'ok']);
    for (const { repairs } of read(answer).calls)
      expect(repairs).toMatchObject([{ kind: 'text', certainty: 'inferred' }]);
  });
});
