import path from 'node:path';
import type { Role } from '../shared/agentEvents.ts';
import type { FileChange, TurnTruth } from '../shared/fileEvents.ts';
import type { Item, RoundView } from '../shared/view.ts';
import { resolvePath } from './resolvePath.ts';
import { foldsCase } from './roots.ts';

export interface TruthContext {
  /** The run's folder: absolute, links resolved. */
  readonly folder: string;
  /** Resolves `..` and links of an absolute path, also of one that does not exist. */
  readonly resolvePath: (path: string) => string;
  /** Windows and macOS: `A.ts` is `a.ts`. */
  readonly caseInsensitive: boolean;
}

/** How the paths of a folder on this machine's disk are compared. `folder`: absolute, links resolved. */
export function diskPaths(folder: string): TruthContext {
  return { folder, resolvePath, caseInsensitive: foldsCase() };
}

/**
 * Holds what the cards of `role` (the executor) among `items` say, and what the person did, against what git sees: `files`. Items and
 * files are of the same span: a round, or a run. A command is no claim: what it changed is unannounced, and `ranCommands`
 * says that there was one.
 */
export function turnTruth(
  items: readonly Item[],
  files: readonly FileChange[],
  context: TruthContext,
  role: Role = 'execute',
): TurnTruth {
  const places = placesOf(context);
  const claims = items.flatMap((item) => claimedIn(item, role)).map(places.of);
  const persons = personsPaths(items).flatMap((named) => places.of(named).inside);
  const isPersons = (file: string) => persons.some((one) => places.covers(one, file));
  const announced = (file: string) => claims.some(({ inside }) => inside.some((claim) => places.covers(claim, file)));
  const changed = files.map((file) => file.path);
  const byUser = changed.filter((file) => isPersons(file) && !announced(file));
  const byBoth = changed.filter((file) => isPersons(file) && announced(file));
  const unseen = claims.filter(
    ({ inside }) => inside.length > 0 && !changed.some((file) => inside.some((claim) => places.covers(claim, file))),
  );
  return {
    unannounced: changed.filter((file) => !isPersons(file) && !announced(file)),
    unseen: distinct(unseen.flatMap(({ inside }) => inside.slice(0, 1))),
    outside: distinct(claims.flatMap(({ inside, absolute }) => (inside.length === 0 ? [absolute] : []))),
    byUser,
    byBoth,
    ranCommands: items.some((item) => item.type === 'tool' && item.role === role && item.kind === 'execute'),
  };
}

/** The person's files of a run. Relative, with `/`. */
export interface PersonsFiles {
  /** Nothing says that the agent changed them too. */
  readonly alone: readonly string[];
  readonly withAgent: readonly string[];
}

/**
 * What the person changed over all rounds of a run, apart from what the agent's cards and the rounds' truths name. What
 * was saved before the first round is part of what the run began with.
 */
export function personsFiles(rounds: readonly RoundView[], context: TruthContext): PersonsFiles {
  const items = rounds.filter((round) => round.number > 0).flatMap((round) => round.items);
  const places = placesOf(context);
  const claims = items.flatMap((item) => claimedIn(item, 'execute')).flatMap((named) => places.of(named).inside);
  const truths = items.flatMap((item) => (item.type === 'changes' && item.truth !== null ? [item.truth] : []));
  const agents = [...claims, ...truths.flatMap(({ unannounced, byBoth }) => [...unannounced, ...byBoth])];
  const persons = distinct(personsPaths(items).flatMap((named) => places.of(named).inside.slice(0, 1)));
  const isShared = (file: string) => agents.some((one) => places.covers(one, file) || places.covers(file, one));
  return { alone: persons.filter((file) => !isShared(file)), withAgent: persons.filter(isShared) };
}

/** What one card, or the files that we wrote for it, say was changed. As the agent named it. */
function claimedIn(item: Item, role: Role): readonly string[] {
  if (item.role !== role) return [];
  if (item.type === 'files') return item.files.filter(({ writes }) => writes > 0).map((file) => file.path);
  if (item.type !== 'tool' || item.state !== 'success') return [];
  if (item.kind !== 'edit' && item.kind !== 'delete' && item.kind !== 'move') return [];
  const diffs = (item.content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  return distinct([...(item.locations ?? []).map((location) => location.path), ...diffs]);
}

/** What the person saved, and where they changed the text that an agent was allowed to write. */
function personsPaths(items: readonly Item[]): readonly string[] {
  return items.flatMap((item) => {
    switch (item.type) {
      case 'edited':
        return item.paths;
      case 'unsaved':
        return item.saved;
      case 'permission': {
        const answer = item.resolution?.answer;
        return answer?.outcome === 'selected' && answer.changedText !== undefined ? item.request.paths : [];
      }
      default:
        return [];
    }
  });
}

interface Place {
  readonly absolute: string;
  /** As it was named and, where a link leads elsewhere, as it resolves; none outside the folder. Relative, with `/`. */
  readonly inside: readonly string[];
}

function placesOf({ folder, resolvePath, caseInsensitive }: TruthContext) {
  const fold = (file: string) => (caseInsensitive ? file.toLowerCase() : file);
  const relative = (absolute: string): string[] => {
    const way = path.relative(folder, absolute);
    const leaves = way === '' || way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
    return leaves ? [] : [way.split(path.sep).join('/')];
  };
  const resolved = (absolute: string): string => {
    try {
      return resolvePath(absolute);
    } catch {
      // A circle of links leads nowhere: its name is all there is.
      return absolute;
    }
  };
  return {
    of(named: string): Place {
      const absolute = path.resolve(folder, named);
      return { absolute, inside: distinct([...relative(absolute), ...relative(resolved(absolute))]) };
    },
    /** What is said of a folder is said of all in it: a deletion or a move may name no more. */
    covers(claim: string, file: string): boolean {
      return fold(file) === fold(claim) || fold(file).startsWith(`${fold(claim)}/`);
    },
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
