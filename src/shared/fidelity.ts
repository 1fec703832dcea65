import type { AgentProtocol, AgentRef } from './agentEvents.ts';

/** What an agent tells over its wire. `why` is one sentence for people. */
export interface Told {
  readonly level: 'yes' | 'partly' | 'no';
  readonly why: string;
}

/** What a person can be shown of an agent's work: what its wire carries, not what the agent can do. */
export interface Fidelity {
  readonly thoughts: Told;
  readonly toolProgress: Told;
  readonly diffs: Told;
  readonly usage: Told;
  /** Questions to the person: permissions and forms. */
  readonly questions: Told;
  /** Commands of the agent's own, such as `/init`. */
  readonly commands: Told;
}

const yes = (why: string): Told => ({ level: 'yes', why });
const partly = (why: string): Told => ({ level: 'partly', why });
const no = (why: string): Told => ({ level: 'no', why });

const CLAUDE: Fidelity = {
  thoughts: yes('As the model thinks them, while it does.'),
  toolProgress: yes('Every call with its input, its result and the sub-agent that made it.'),
  diffs: yes('Each edit with the text before and after.'),
  usage: yes('Tokens and money of each turn.'),
  questions: yes('Permissions, questions with choices, and plans to agree to.'),
  commands: yes('Its slash commands.'),
};

const GEMINI_ACP: Fidelity = {
  thoughts: yes('Summaries of thoughts, as the CLI cuts them.'),
  toolProgress: partly(
    'Start and end of a call; what a read, a search or a list found is not sent, and a command only at its end.',
  ),
  diffs: yes('Each edit with the whole text before and after.'),
  usage: partly('Tokens at the end of a turn, summed over its requests; no money, and nothing when it was stopped.'),
  questions: partly('Permissions; the CLI offers its model no way to ask anything else.'),
  commands: yes('Its own commands are told; some slash commands go to the model as text.'),
};

const GEMINI_HEADLESS: Fidelity = {
  thoughts: no('Thoughts are not on this wire.'),
  toolProgress: partly(
    'Start and end of a call; results come together at the end of a batch, and those of reads and edits not at all.',
  ),
  diffs: no('Edits are told without their text: look at the changes of the round.'),
  usage: partly('Tokens at the end of a turn; no money.'),
  questions: no('Nothing can be asked: what would ask is not offered to the model.'),
  commands: no('Slash commands are sent to the model as text.'),
};

/** What the protocol can carry; an agent may send less. */
const ACP: Fidelity = {
  thoughts: partly('The protocol carries them; this agent is untried.'),
  toolProgress: partly('The protocol carries it; this agent is untried.'),
  diffs: partly('The protocol carries them; this agent is untried.'),
  usage: partly('The protocol carries tokens of the context and money; this agent is untried.'),
  questions: yes('Permissions and forms.'),
  commands: yes('Its own commands, where it tells them.'),
};

const CLAUDE_ACP: Fidelity = {
  thoughts: yes('As the model thinks them, while it does.'),
  toolProgress: yes('Every call with its input and its result.'),
  diffs: yes('Each edit with the text before and after.'),
  usage: yes('Tokens and money of the session.'),
  questions: yes('Permissions; its questions with choices come as forms.'),
  commands: yes('Its slash commands and skills.'),
};

const BY_ID: ReadonlyMap<string, Fidelity> = new Map([
  ['claude', CLAUDE],
  ['gemini', GEMINI_ACP],
  ['gemini-headless', GEMINI_HEADLESS],
  ['claude-acp', CLAUDE_ACP],
  ['demo-executor', CLAUDE],
  ['demo-reviewer', ACP],
]);

const BY_PROTOCOL: Readonly<Record<AgentProtocol, Fidelity>> = {
  acp: ACP,
  'claude-stream-json': CLAUDE,
  'gemini-stream-json': GEMINI_HEADLESS,
};

/** What can be shown of this agent. Of an agent of one's own: what its protocol carries. */
export function fidelityOf({ id, protocol }: Pick<AgentRef, 'id' | 'protocol'>): Fidelity {
  return BY_ID.get(id) ?? BY_PROTOCOL[protocol];
}

/** What Gemini CLI tells less of without ACP, for people, in one line. */
export const HEADLESS_LOSSES = [
  GEMINI_HEADLESS.thoughts,
  GEMINI_HEADLESS.diffs,
  GEMINI_HEADLESS.questions,
  GEMINI_HEADLESS.toolProgress,
]
  .map(({ why }) => why)
  .join(' ');
