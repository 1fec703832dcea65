import type { AgentChoice, AgentOffers } from '../../src/shared/messages.ts';
import { IMAGE_LIMITS, type TaskImage } from '../../src/shared/task.ts';
import type { Page } from '../state.ts';
import { number, t } from '../words.ts';

/** Who is to get the images, and how many there are already. */
export interface Taker {
  readonly agent: AgentChoice | null;
  readonly offers: AgentOffers | null;
  readonly count: number;
  readonly page: Page;
}

/** Gives the images to the host, and says of each that it does not take why not. */
export async function takeFiles(files: readonly File[], { agent, offers, count, page }: Taker): Promise<void> {
  const refused: string[] = [];
  let room = IMAGE_LIMITS.count - count;
  page.dispatch({ type: 'refused', why: null });
  for (const file of files) {
    const why = room <= 0 ? t('At most {0} images go with a task.', IMAGE_LIMITS.count) : whyNot(file, agent, offers);
    if (why !== null) {
      if (!refused.includes(why)) refused.push(why);
      continue;
    }
    room -= 1;
    page.post({ type: 'addImage', image: await imageOf(file) });
  }
  if (refused.length > 0) page.dispatch({ type: 'refused', why: refused.join(' ') });
}

function whyNot({ name, type, size }: File, agent: AgentChoice | null, offers: AgentOffers | null): string | null {
  if (offers?.images === false) return takesNone(agent);
  if (!IMAGE_LIMITS.types.some((one) => one === type)) {
    return type.startsWith('image/')
      ? t('{0} is of a kind that the agents do not take: PNG, JPEG, GIF and WebP go.', name)
      : t('{0} is no image. Name a file of the folder with @.', name);
  }
  if (size <= IMAGE_LIMITS.bytes) return null;
  const megabytes = (bytes: number) => number(bytes / 1024 / 1024);
  return t('{0} has {1} MB; an image may have {2} MB.', name, megabytes(size), megabytes(IMAGE_LIMITS.bytes));
}

/** That the executor takes no images. */
export function takesNone(agent: AgentChoice | null): string {
  return t('{0} takes no images: choose another executor for them.', agent?.name ?? t('The agent'));
}

function imageOf(file: File): Promise<TaskImage> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error);
    reader.onload = () => {
      const address = String(reader.result);
      resolve({ name: file.name, mimeType: file.type, data: address.slice(address.indexOf(',') + 1) });
    };
    reader.readAsDataURL(file);
  });
}
