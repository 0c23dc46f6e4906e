// The module that Next's build reads instead of Google's style sheets, which it could not fetch: each address gets a style sheet that
// takes the font from the visitor's device. https://github.com/vercel/next.js (NEXT_FONT_GOOGLE_MOCKED_RESPONSES)

/** @param {string} address such as https://fonts.googleapis.com/css2?family=Geist+Mono:wght@100..900&display=swap */
function styleSheet(address) {
  const [, family = ''] = /[?&]family=([^:&]{1,200})/.exec(address) ?? [];
  const name = decodeURIComponent(family.replaceAll('+', ' ')).replaceAll(/[^\w -]/g, '');
  return `@font-face {\n  font-family: '${name}';\n  font-style: normal;\n  src: local('${name}');\n}\n`;
}

const addresses = JSON.parse(process.env.PADDOCK_FONT_ADDRESSES ?? '[]');
const known = Object.fromEntries(addresses.map((address) => [address, styleSheet(address)]));
// Webpack asks for one address after the other, Turbopack takes the whole list.
module.exports = new Proxy(known, {
  get: (target, key) => (typeof key === 'string' && key.startsWith('https://fonts.') ? styleSheet(key) : target[key]),
});
