/** What the doctor found, in the words of the face that asked: the card of the page and `cgloop doctor --json`. */

/** A problem keeps the agent from working; a warning may, or will be found out in the first turn only. */
export type DoctorLevel = 'ok' | 'warning' | 'problem';

/** A way out that the extension can take at the press of a button. `agent`: a catalog id. */
export type DoctorAction =
  | { readonly type: 'signIn'; readonly agent: string }
  | { readonly type: 'install'; readonly agent: string }
  | { readonly type: 'setKey' }
  | { readonly type: 'openSettings' }
  | { readonly type: 'manageTrust' };

/** One thing that was looked at. */
export interface DoctorLine {
  readonly topic: 'program' | 'version' | 'start' | 'signIn' | 'shown' | 'trust' | 'git';
  readonly level: DoctorLevel;
  readonly what: string;
  /** The way out, for people; empty where there is none to say. */
  readonly fix: string;
  /** The same as a command for a terminal; null where it is none. */
  readonly command: string | null;
  readonly action: DoctorAction | null;
}

/** One agent, or (`agent` null) the folder. */
export interface DoctorSection {
  readonly agent: string | null;
  readonly title: string;
  readonly lines: readonly DoctorLine[];
}

/** What the view shows of a check. `report` null: the first one is under way. */
export interface DoctorCard {
  readonly report: DoctorReport | null;
  readonly checking: boolean;
}

export interface DoctorReport {
  /** Nothing is a problem. */
  readonly ok: boolean;
  readonly sections: readonly DoctorSection[];
}
