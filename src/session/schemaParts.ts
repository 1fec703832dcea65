/** What the schemas of the events are made of. */
import * as z from 'zod';
import { isWireObject } from '../protocol/parseWire.ts';
import type { Json, WireObject } from '../shared/wire.ts';

/** JSON by construction: the schema only ever sees what `JSON.parse` gave. */
export const json = z.custom<Json>((value) => value !== undefined);
export const wireObject = z.custom<WireObject>(isWireObject);

export const role = z.enum(['execute', 'review']);
export const turn = z.int().nonnegative();
export const strings = z.array(z.string());
export const nullableNumber = z.nullable(z.number());

/** What every event has. */
export const stamp = { seq: z.int().positive(), at: z.number(), round: z.int().nonnegative() };

/** What every event of a turn has. */
export const ofTurn = { ...stamp, turn, role };
