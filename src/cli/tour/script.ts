import type { ModelRequest } from '../../model/index.ts';
import type { Script, ScriptedTurn } from '../../provider/scripted/script.ts';

const over = 'I am a scripted model, and the script ends here. To continue, set an API key and choose a model.';

/** The turns of the tour, at a pace that people can follow. */
export function tourScript(manner: Pick<ScriptedTurn, 'chunk' | 'pace' | 'delay'> = {}): Script {
  return (question) => {
    // Depends on the conversation instead of a counter, so that a run can be resumed.
    const turn = question.messages.filter(({ role }) => role === 'assistant').length;
    return { ...manner, ...(tourTurns[turn] ?? last(question, turn)) };
  };
}

const last = (question: ModelRequest, turn: number): ScriptedTurn => ({
  text: turn > tourTurns.length ? over : lastFailed(question) ? tourEnds.kept : tourEnds.done,
});

const lastFailed = ({ messages }: ModelRequest): boolean =>
  messages.at(-1)?.parts.some((part) => part.type === 'result' && part.isError) === true;

/** The prompt of the tour. */
export const tourPrompt = 'Write the missing greeting, resolve the TODOs, and clean up old builds.';

/** The model of the tour: it writes calls like models do, and corrects them after feedback. */
const tourTurns: readonly ScriptedTurn[] = [
  {
    reasoning: "The app imports a file that doesn't exist. I'll check the app and the TODOs.",
    text: "I'll read the code first.",
    calls: [
      { name: 'read_file', arguments: "Sure! I'll open it:\n```json\n{path: 'src/app.ts', limit: 20,}\n```" },
      {
        name: 'functions.patternSearch',
        arguments: '{"Pattern": "TODO", "files": "[\\"src/app.ts\\", \\"src/list.ts\\"]", "mode": "Whole Word"}',
      },
    ],
  },
  {
    text: "The greeting is missing. I'll write it.",
    calls: [
      {
        name: 'write_file',
        arguments: '{"path": "src/greet.ts", "content": "/** Says hello to everybody who is on the li',
      },
    ],
    finish: 'length',
  },
  {
    text: 'That was too much at once.',
    calls: [
      {
        name: 'write_file',
        arguments: '{"path": "src/greet.ts", "content": "export function hello() {\n  console.log("hello");\n}\n"}',
      },
    ],
  },
  {
    text: 'Now the TODOs.',
    calls: [
      {
        name: 'fs_multi_edit',
        arguments:
          '{"edits": [{"path": "src/app.ts", "find": "TODO say", "replace": "Says"}, {"find": "TODO sort it", "replace": "Sorted"}]}',
      },
    ],
  },
  {
    text: 'The second edit had no path.',
    calls: [
      {
        name: 'fs_multi_edit',
        arguments:
          '{"edits": [{"path": "src/app.ts", "find": "TODO say", "replace": "Says"}, {"path": "src/list.ts", "find": "TODO sort it", "replace": "Sorted"}]}',
      },
    ],
  },
  {
    text: 'Finally, the old builds.',
    calls: [{ name: 'delete_folder', arguments: '{"path": "build", "days": "30"}' }],
  },
  { calls: [{ name: 'delete_folder', arguments: '{"path": "build", "days": 30}' }] },
];

/** Its last message, which doesn't claim a deletion that was denied. */
const tourEnds = {
  done: 'The greeting is written, the TODOs are resolved, and the old builds are gone.',
  kept: 'The greeting is written, the TODOs are resolved, and the old builds stay.',
} as const;
