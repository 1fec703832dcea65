import { companyOf } from '../agent/catalog.ts';
import type { StartProblem } from '../loop/options.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { DoctorCard } from '../shared/doctor.ts';
import type { AgentChoice, HostState, Notice } from '../shared/messages.ts';
import type { RunController } from './runControl.ts';
import { composerDefaults, type SettingProblem, type Settings } from './settings.ts';
import { nameOf, type Translate } from './words.ts';

/** What the window is like at the moment. */
export interface WindowFacts {
  readonly trusted: boolean;
  /** The open folders. */
  readonly folders: HostState['folders'];
  readonly settings: Settings;
  readonly settingProblems: readonly SettingProblem[];
  readonly doctor: DoctorCard | null;
  /** An agent of the run shown has told its session. */
  readonly hasSession: boolean;
  readonly changedSince: number;
  /** The agents of the catalog. */
  readonly agents: readonly AgentRef[];
  /** Catalog id → whether its program was found, as far as it was looked for. */
  readonly installed: ReadonlyMap<string, boolean>;
  readonly offers: HostState['offers'];
  readonly consent: HostState['consent'];
  readonly checks: HostState['checks'];
  readonly words: Readonly<Record<string, string>>;
  /** BCP 47 tag. */
  readonly language: string;
}

/** What is true beside the log, as the page is told it. */
export function hostStateOf(controller: RunController, facts: WindowFacts, t: Translate): HostState {
  const [first, ...others] = facts.folders;
  return {
    phase: controller.phase,
    trusted: facts.trusted,
    folder: first === undefined ? null : others.length === 0 ? first.name : t('{0} folders', facts.folders.length),
    interrupted: controller.shown?.interrupted ?? false,
    canUndo: controller.canUndo,
    canRedo: controller.canRedo,
    canResume: controller.canResume,
    canReviewAgain: controller.canReviewAgain,
    canCommit: controller.canCommit,
    changedSince: facts.changedSince,
    pauseWanted: controller.pauseWanted,
    replay: controller.shown?.replay ?? false,
    canContinue: facts.trusted && facts.hasSession && controller.shown?.replay === false,
    doctor: facts.doctor,
    agents: facts.agents.map((agent) => choiceOf(agent, facts.installed, t)),
    offers: facts.offers,
    folders: facts.folders,
    consent: facts.consent,
    checks: facts.checks,
    defaults: composerDefaults(facts.settings),
    notices: noticesOf(controller, facts, t),
    words: facts.words,
    language: facts.language,
  };
}

/** Why an untrusted window starts nothing. */
export function untrustedNotice(t: Translate): Notice {
  return {
    level: 'warning',
    what: t('This workspace is not trusted, so nothing is started in it.'),
    fix: t(
      'Agents run programs and follow instructions that lie in the folder: trust it only if you know where it comes from.',
    ),
    actions: ['manageTrust'],
  };
}

/** Why a window without a folder starts nothing. */
export function noFolderNotice(t: Translate): Notice {
  return {
    level: 'info',
    what: t('No folder is open.'),
    fix: t('A run works in the folder of a project.'),
    actions: ['openFolder'],
  };
}

/** Why a window whose folders are not on a disk starts nothing: agents are programs, and read and write there. */
export function virtualFolderNotice(scheme: string, t: Translate): Notice {
  return {
    level: 'info',
    what: t('The open folder is not on a disk of this machine, but virtual ({0}).', scheme),
    fix: t('Agents are programs that read and write files on disk: open a folder there.'),
    actions: ['openFolder'],
  };
}

/** A setting that cannot be used. */
export function settingNotice({ setting, why }: SettingProblem, t: Translate): Notice {
  return {
    level: 'error',
    what: t('The setting {0} cannot be used: {1}', setting, why),
    fix: t('Correct it; until then its default is shown, and no run is started.'),
    actions: ['openSettings'],
  };
}

function noticesOf(controller: RunController, facts: WindowFacts, t: Translate): Notice[] {
  const notices: Notice[] = [];
  if (!facts.trusted) notices.push(untrustedNotice(t));
  if (facts.folders.length === 0) notices.push(noFolderNotice(t));
  if (controller.shown?.elsewhere === true) {
    const what = t('This run is under way in another window or a terminal.');
    notices.push({ level: 'info', what, fix: t('It is only looked at here, as far as it has come.'), actions: [] });
  }
  for (const problem of facts.settingProblems) notices.push(settingNotice(problem, t));
  for (const problem of controller.problems)
    notices.push({ level: 'error', what: problem.what, fix: problem.fix, actions: actionsFor(problem) });
  return notices;
}

function actionsFor({ agent, held }: StartProblem): Notice['actions'] {
  if (held === true) return ['waitForFolder'];
  return agent === null ? [] : ['checkSetup', 'openSettings'];
}

function choiceOf(agent: AgentRef, installed: WindowFacts['installed'], t: Translate): AgentChoice {
  const { id } = agent;
  const known = { id, name: nameOf(agent, t), company: companyOf(id), installed: installed.get(id) ?? null };
  switch (id) {
    case 'demo-executor':
      return { ...known, roles: ['execute'] };
    case 'demo-reviewer':
      return { ...known, roles: ['review'] };
    default:
      return { ...known, roles: ['execute', 'review'] };
  }
}
