/** @jsxRuntime automatic @jsxImportSource preact */
import type { TaskImage } from '../../src/shared/task.ts';
import { Icon } from '../Icon.tsx';
import type { Page } from '../state.ts';
import { t } from '../words.ts';

/** The images that go with the task, each with a way to take it back. */
export function Images({ images, page }: { images: readonly TaskImage[]; page: Page }) {
  if (images.length === 0) return null;
  return (
    <ul class="images" aria-label={t('Images')}>
      {images.map((image, index) => (
        <li key={`${image.name} ${image.data.length} ${image.data.slice(-32)}`}>
          <img src={`data:${image.mimeType};base64,${image.data}`} alt={image.name} title={image.name} />
          <button
            type="button"
            class="icon-button"
            title={t('Remove {0}', image.name)}
            aria-label={t('Remove {0}', image.name)}
            onClick={() => page.post({ type: 'removeImage', index })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
