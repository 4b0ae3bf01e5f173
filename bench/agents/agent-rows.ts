/** The agents of `npm run agents`: which packages, how they run without a terminal, and which of their tools take lists and numbers. */
import { type Agent, agents as launched } from '../../src/cli/launch/agents.ts';
import type { ToolCall } from './damages.ts';

/** A call whose effect shows in its result. The model goes on to the shell call only after a result that shows it. */
export interface ProbedCall {
  /** Sound calls before it. */
  readonly before?: readonly ToolCall[];
  readonly call: ToolCall;
  /** Whether the result shows that the call had its intended effect. */
  readonly worked: (result: string) => boolean;
}

/** An agent and its pinned version. */
export interface AgentRow {
  readonly agent: Agent;
  /** The packages to install; the first one is the agent. */
  readonly packages: Readonly<Record<string, string>>;
  /** Arguments that run a prompt without a terminal, and approve the shell tool. */
  readonly headless: (prompt: string) => readonly string[];
  /** Settings that users of a direct run have in their home folder. */
  readonly settingsInHome?: readonly string[];
  /** A call with a list, and one with a number or boolean; by default the shell call. */
  readonly list: (folder: string) => ProbedCall;
  readonly scalar?: (folder: string) => ProbedCall;
}

/** Files in the work folder that calls with lists and numbers read. */
export const seedFiles = { 'lines.txt': 'first line\nsecond line\nthird line\n', 'hidden.tmp': 'hidden\n' } as const;

const todo: ToolCall = {
  name: 'todowrite',
  args: { todos: [{ content: 'Write the file', status: 'in_progress', priority: 'high' }] },
};
const hasTodo = (result: string): boolean => result.includes('Write the file') && !isComplaint(result);

/** Agents that check arguments report a mismatch in such words. */
const isComplaint = (result: string): boolean =>
  /invalid|expected|must be|validation|not of type|failed to parse/i.test(result);

/** An edit with a list of replacements, which works if a later look at the file shows the new text. */
const editedWith = (name: string, path: string, keys: readonly [string, string, string]) =>
  function edited(folder: string): ProbedCall {
    const [list, from, to] = keys;
    return {
      before: [],
      call: {
        name,
        args: {
          [path]: `${folder}/lines.txt`,
          [list]: [{ [from]: 'second line', [to]: 'changed line' }],
        },
      },
      worked: (result) => /success|replaced|edited|applied|updated|changed line/i.test(result) && !isComplaint(result),
    };
  };

/** A listing without the files of a list of patterns. */
const listedWithout = (key: string) => (folder: string) => ({
  call: { name: 'list_directory', args: { [key]: folder, ignore: ['*.tmp'] } },
  worked: (result: string) => result.includes('lines.txt') && !result.includes('hidden.tmp'),
});

const rows: Readonly<Record<string, Omit<AgentRow, 'agent'>>> = {
  claude: {
    packages: { '@anthropic-ai/claude-code': '2.1.197' },
    headless: (prompt) => ['-p', prompt, '--allowedTools', 'Bash,TaskCreate,TaskUpdate'],
    list: () => ({
      before: ['Plan', 'Write'].map((subject) => ({
        name: 'TaskCreate',
        args: { subject, description: `${subject} the file` },
      })),
      call: { name: 'TaskUpdate', args: { taskId: '1', addBlocks: ['2'] } },
      worked: (result) => /updated task/i.test(result),
    }),
  },
  codex: {
    packages: { '@openai/codex': '0.166.0' },
    headless: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    list: () => ({
      call: { name: 'exec_command', args: { cmd: 'cat lines.txt', prefix_rule: ['cat', 'lines.txt'] } },
      worked: (result) => result.includes('second line'),
    }),
  },
  gemini: {
    packages: { '@google/gemini-cli': '0.61.0' },
    headless: (prompt) => ['-p', prompt, '--yolo', '--skip-trust'],
    settingsInHome: ['.gemini/settings.json'],
    list: listedWithout('dir_path'),
  },
  opencode: {
    packages: { 'opencode-ai': '1.18.33' },
    headless: (prompt) => ['run', prompt],
    list: () => ({ call: todo, worked: hasTodo }),
  },
  kilo: {
    packages: { '@kilocode/cli': '7.7.7' },
    headless: (prompt) => ['run', '--auto', prompt],
    list: () => ({ call: todo, worked: hasTodo }),
  },
  qwen: {
    packages: { '@qwen-code/qwen-code': '0.15.10' },
    headless: (prompt) => ['-y', '-p', prompt],
    list: listedWithout('path'),
  },
  cline: {
    packages: { cline: '3.0.65' },
    headless: (prompt) => ['--json', prompt],
    list: () => ({
      call: { name: 'run_commands', args: { commands: ['cat lines.txt'] } },
      worked: (result) => result.includes('second line'),
    }),
    scalar: (folder) => ({
      call: { name: 'read_files', args: { files: [{ path: `${folder}/lines.txt`, start_line: 2, end_line: 2 }] } },
      worked: (result) => result.includes('second line') && !result.includes('third line'),
    }),
  },
  continue: {
    packages: { '@continuedev/cli': '1.5.47' },
    headless: (prompt) => ['-p', prompt, '--auto'],
    list: (folder) => {
      const { call, worked } = editedWith('MultiEdit', 'file_path', ['edits', 'old_string', 'new_string'])(folder);
      return { before: [{ name: 'Read', args: { filepath: `${folder}/lines.txt` } }], call, worked };
    },
  },
  copilot: {
    packages: { '@github/copilot': '1.0.102' },
    headless: (prompt) => ['-p', prompt, '--allow-all-tools'],
    list: (folder) => ({
      call: { name: 'view', args: { path: `${folder}/lines.txt`, view_range: [2, 2] } },
      worked: (result) => result.includes('second line') && !result.includes('third line'),
    }),
  },
  pi: {
    packages: { '@earendil-works/pi-coding-agent': '0.74.2' },
    headless: (prompt) => ['-p', prompt],
    list: editedWith('edit', 'path', ['edits', 'oldText', 'newText']),
  },
  omp: {
    packages: { '@oh-my-pi/pi-coding-agent': '18.2.3', bun: '1.4.4' },
    headless: (prompt) => ['-p', prompt],
    list: () => ({
      call: { name: 'todo', args: { op: 'init', items: ['Write the file', 'Check it'], i: 'Planning' } },
      // It takes a text as a list of one item.
      worked: (result) => result.includes('2 open'),
    }),
  },
};

/** The agents, in the order of `toolmend launch --list`. */
export const agentRows: readonly AgentRow[] = launched.flatMap((agent) => {
  const row = rows[agent.name];
  return row ? [{ agent, ...row }] : [];
});
