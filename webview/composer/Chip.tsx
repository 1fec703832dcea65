/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComposerOptions, HostState } from '../../src/shared/messages.ts';

/** What every chip of the composer is drawn from. */
export interface ChipsProps {
  readonly options: ComposerOptions;
  readonly host: HostState;
  readonly choose: (changed: Partial<ComposerOptions>) => void;
}

interface Props {
  /** What is chosen, for those who do not see it. */
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly text: string; readonly title?: string }[];
  readonly title?: string;
  /** The id of the element that says more. */
  readonly describedBy?: string;
  readonly onChoose: (value: string) => void;
}

/** One choice as a native list, which works by keyboard and is as readable as the system's own. */
export function Chip({ label, value, choices, title = label, describedBy, onChoose }: Props) {
  return (
    <select
      class="chip"
      aria-label={label}
      aria-describedby={describedBy}
      title={title}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} title={choice.title}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}
