// Runs in the page, and so is JavaScript: the tests are compiled without the names of a browser.

/**
 * Texts of the page whose contrast with what they stand on is below 4.5 : 1 (WCAG AA), each with its ratio.
 * @param {Element} main
 * @returns {string[]}
 */
export function weakContrasts(main) {
  // Methods, because the loader of the tests marks other functions with a name that the page does not know.
  const colours = {
    read(colour) {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('No canvas');
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    },
    over(top, ground) {
      const alpha = (top[3] ?? 255) / 255;
      return [0, 1, 2].map((index) => (top[index] ?? 0) * alpha + (ground[index] ?? 0) * (1 - alpha));
    },
    ground(element) {
      if (element === null) return [255, 255, 255];
      return colours.over(
        colours.read(getComputedStyle(element).backgroundColor),
        colours.ground(element.parentElement),
      );
    },
    light(colour) {
      const [red = 0, green = 0, blue = 0] = colour.map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    },
  };
  const weak = [];
  for (const element of main.querySelectorAll('.text *, .code-block *, .diff *')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '')) continue;
    const ground = colours.ground(element);
    const colour = colours.over(colours.read(getComputedStyle(element).color), ground);
    const [low = 0, high = 0] = [colours.light(colour), colours.light(ground)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) weak.push(`${element.className || element.tagName} ${ratio.toFixed(1)}`);
  }
  return [...new Set(weak)];
}
