import type { ModelRequest, Scene, Story, When } from './story.ts';

/** Hands out the scenes of one story, each as often as it says. */
export interface Script {
  /** The scene that answers this request, null when the story has none. */
  take(request: ModelRequest): Scene | null;
  /** Names of the scenes that have never answered anything. */
  unplayed(): readonly string[];
}

export function newScript(story: Story): Script {
  const used = new Map<Scene, number>();
  const uses = (scene: Scene) => used.get(scene) ?? 0;
  return {
    take(request) {
      const scene = story.scenes.find((one) => uses(one) < one.times && fits(one.when, request));
      if (!scene) return null;
      used.set(scene, uses(scene) + 1);
      return scene;
    },
    unplayed: () => story.scenes.filter((scene) => uses(scene) === 0).map((scene) => scene.name),
  };
}

/** Whether every key of `when` holds for the request. */
export function fits(when: When, request: ModelRequest): boolean {
  const { afterTool } = when;
  const results = request.toolResults;
  return (
    (when.kind === undefined || when.kind === request.kind) &&
    textFits(when.prompt, request.prompt) &&
    textFits(when.conversation, request.conversation) &&
    textFits(when.system, request.system) &&
    textFits(when.model, request.model) &&
    (typeof afterTool !== 'boolean' || results.length > 0 === afterTool) &&
    (typeof afterTool !== 'string' || results.some((result) => result.name === afterTool)) &&
    (when.toolText === undefined || results.some((result) => textFits(when.toolText, result.text))) &&
    (when.toolFailed === undefined || results.some((result) => result.isError) === when.toolFailed) &&
    (when.offers === undefined || request.tools.includes(when.offers)) &&
    (when.lacks === undefined || !request.tools.includes(when.lacks))
  );
}

function textFits(pattern: string | RegExp | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  return typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0;
}
