import { name, version } from '../../package.json';
import type { Product } from './logFormat.ts';

/** This program, as the logs that it writes name it. */
export const PRODUCT: Product = { name, version };
