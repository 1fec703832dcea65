/** Every command of the manifest, without `cgloop.`: the entry registers them, the workbench carries them out. */
export const COMMANDS = [
  'run',
  'stop',
  'approve',
  'deny',
  'showWaiting',
  'pause',
  'continueRounds',
  'undo',
  'newRun',
  'openLog',
  'runOnSelection',
  'runOnFile',
  'swapAgents',
  'chooseAgents',
  'demo',
  'checkSetup',
  'signIn',
  'setGeminiKey',
  'clearKeys',
  'continueInTerminal',
  'replay',
  'report',
  'rules',
] as const;

export type CommandName = (typeof COMMANDS)[number];
