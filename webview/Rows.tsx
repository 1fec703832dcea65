/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { memo } from './memo.ts';
import { t } from './words.ts';

/** One row, or some that belong together. */
export interface Row {
  /** What it is drawn from: it is drawn again when one of these is another one. */
  readonly from: readonly unknown[];
  readonly draw: () => ComponentChildren;
}

interface Props {
  /** In an order that stays; new ones come at the end. */
  readonly rows: readonly Row[];
  /** What all of them are drawn from besides. */
  readonly from: readonly unknown[];
  /** Which end is seen first. */
  readonly first: 'oldest' | 'newest';
}

/** Rows that come and go together. */
export const CHUNK_ROWS = 16;
/** Pixels beyond the edges of the timeline within which rows are drawn. */
export const OVERSCAN = 1000;
/** Chunks that are drawn before it is known which are near: as many rows as fill a high window. */
const FIRST_CHUNKS = 2;
/** Guessed pixels of a row that was never drawn. */
const ROW_HEIGHT = 48;

/**
 * The rows near what is seen. The others are room of the height that they had, until they come near: scrolling draws them, and so
 * does the focus that comes there. What has the focus or is selected stays drawn.
 */
export function Rows({ rows, from, first }: Props) {
  const chunks = useChunks(rows, from);
  const sight = useRef<Sight | null>(null);
  sight.current ??= createSight();
  const { current: shared } = sight;
  const before = useRef(chunks.length).current;
  return (
    <>
      {chunks.map((chunk, index) => {
        const isFirst = first === 'newest' ? index >= before - FIRST_CHUNKS : index < FIRST_CHUNKS;
        return <Chunk key={index} rows={chunk} sight={shared} near={isFirst || index >= before} />;
      })}
    </>
  );
}

interface ChunkProps {
  readonly rows: readonly Row[];
  readonly sight: Sight;
  /** Whether it is drawn before the first look. */
  readonly near: boolean;
}

const Chunk = memo((props: ChunkProps) => <ChunkBox {...props} />);

function ChunkBox({ rows, sight, near }: ChunkProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(rows.length * ROW_HEIGHT);
  /** The end that the focus comes to, as soon as it is drawn. */
  const arrival = useRef<'first' | 'last' | null>(null);
  const [isNear, setNear] = useState(near);
  useLayoutEffect(() => {
    if (box.current === null) return;
    return sight.watch(box.current, (entry) => {
      if (!entry.isIntersecting) height.current = entry.boundingClientRect.height;
      setNear(entry.isIntersecting);
    });
  }, [sight]);
  useLayoutEffect(() => {
    const stops = arrival.current === null ? [] : [...(box.current?.querySelectorAll<HTMLElement>('.stop') ?? [])];
    (arrival.current === 'last' ? stops.at(-1) : stops[0])?.focus();
    arrival.current = null;
  });
  return (
    <div ref={box} style={isNear ? {} : { height: `${height.current}px` }}>
      {isNear ? (
        rows.map((row) => row.draw())
      ) : (
        <button
          type="button"
          class="unseen stop"
          tabIndex={-1}
          aria-label={rows.length === 1 ? t('1 more step') : t('{0} more steps', rows.length)}
          onFocus={({ currentTarget, relatedTarget }) => {
            const isAbove =
              relatedTarget instanceof Node &&
              (currentTarget.compareDocumentPosition(relatedTarget) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
            arrival.current = isAbove ? 'last' : 'first';
            setNear(true);
          }}
        />
      )}
    </div>
  );
}

/** The rows in chunks; a chunk whose rows are drawn from the same is the very one of the drawing before. */
function useChunks(rows: readonly Row[], from: readonly unknown[]): readonly (readonly Row[])[] {
  const last = useRef<{ readonly chunks: readonly (readonly Row[])[]; readonly from: readonly unknown[] } | null>(null);
  const { current: before } = last;
  const isSame = before !== null && isSameList(before.from, from);
  const chunks: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    const chunk = rows.slice(at, at + CHUNK_ROWS);
    const known = isSame ? before.chunks[chunks.length] : undefined;
    const stays =
      known?.length === chunk.length && known.every((row, index) => isSameList(row.from, chunk[index]?.from ?? []));
    chunks.push(stays ? known : chunk);
  }
  last.current = { chunks, from };
  return chunks;
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/** Tells chunks whether they are near what is seen. */
interface Sight {
  /** Tells at once, and whenever that changes. Returns the way to end it. */
  watch(element: Element, tell: (entry: IntersectionObserverEntry) => void): () => void;
}

function createSight(): Sight {
  const watched = new Map<Element, (entry: IntersectionObserverEntry) => void>();
  /** What is to be told; of those that have the focus or what is selected, not before they have it no more. */
  const held = new Map<Element, IntersectionObserverEntry>();
  let observer: IntersectionObserver | null = null;
  const look = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const entry of entries) held.set(entry.target, entry);
    // Asked now, while everything is laid out.
    const told = [...held.values()].filter(({ isIntersecting, target }) => isIntersecting || !isInUse(target));
    for (const { target } of told) held.delete(target);
    // With what else the next frame changes, so that it is laid out once.
    requestAnimationFrame(() => {
      for (const entry of told) {
        // The focus may have come since.
        const { target, isIntersecting } = entry;
        if (!isIntersecting && hasFocus(target)) held.set(target, entry);
        else {
          held.delete(target);
          watched.get(target)?.(entry);
        }
      }
    });
  };
  return {
    watch(element, tell) {
      const near = { root: element.closest('.timeline'), rootMargin: `${OVERSCAN}px 0px` };
      observer ??= new IntersectionObserver(look, near);
      watched.set(element, tell);
      observer.observe(element);
      return () => {
        watched.delete(element);
        held.delete(element);
        observer?.unobserve(element);
      };
    },
  };
}

function isInUse(element: Element): boolean {
  if (hasFocus(element)) return true;
  const selection = document.getSelection();
  return selection !== null && selection.rangeCount > 0 && selection.containsNode(element, true);
}

const hasFocus = (element: Element) => element.contains(document.activeElement);
