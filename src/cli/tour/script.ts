import type { ModelRequest } from '../../model/index.ts';
import type { Script, ScriptedTurn } from '../../provider/scripted/script.ts';

const over = 'I am a scripted model, and the script ends here. To continue, set an API key and choose a model.';

/** The turns of the tour, at a pace at which a person can follow. */
export function tourScript(manner: Pick<ScriptedTurn, 'chunk' | 'pace' | 'delay'> = {}): Script {
  return (question) => {
    // By what was said and not by how often it was asked, so that a run can be taken up again.
    const turn = question.messages.filter(({ role }) => role === 'assistant').length;
    return { ...manner, ...(tourTurns[turn] ?? last(question, turn)) };
  };
}

const last = (question: ModelRequest, turn: number): ScriptedTurn => ({
  text: turn > tourTurns.length ? over : lastFailed(question) ? tourEnds.kept : tourEnds.done,
});

const lastFailed = ({ messages }: ModelRequest): boolean =>
  messages.at(-1)?.parts.some((part) => part.type === 'result' && part.isError) === true;

/** What is asked in the tour. */
export const tourPrompt = 'Write the missing greeting, settle the TODOs, and clean up old builds.';

/** What the model of the tour does: it writes calls the way models do, and corrects itself when it is told. */
const tourTurns: readonly ScriptedTurn[] = [
  {
    reasoning: 'The app imports a file that is not there. I look at the app, and for TODOs.',
    text: 'I look at the code first.',
    calls: [
      { name: 'read_file', arguments: "Sure! I'll open it:\n```json\n{path: 'src/app.ts', limit: 20,}\n```" },
      {
        name: 'functions.patternSearch',
        arguments: '{"Pattern": "TODO", "files": "[\\"src/app.ts\\", \\"src/list.ts\\"]", "mode": "Whole Word"}',
      },
    ],
  },
  {
    text: 'The greeting is missing. I write it.',
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
    text: 'Last, the old builds.',
    calls: [{ name: 'delete_folder', arguments: '{"path": "build", "days": "30"}' }],
  },
  { calls: [{ name: 'delete_folder', arguments: '{"path": "build", "days": 30}' }] },
];

/** What it says in the end: a folder that was not deleted is not called deleted. */
const tourEnds = {
  done: 'The greeting is written, the TODOs are settled, and the old builds are gone.',
  kept: 'The greeting is written, the TODOs are settled, and the old builds stay.',
} as const;
