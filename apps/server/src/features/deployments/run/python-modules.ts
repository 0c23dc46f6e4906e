/** The package that brings a module, where their names differ. */
const packageOf: Record<string, string> = {
  dotenv: 'python-dotenv',
  bs4: 'beautifulsoup4',
  yaml: 'PyYAML',
  PIL: 'Pillow',
  cv2: 'opencv-python-headless',
  sklearn: 'scikit-learn',
  telegram: 'python-telegram-bot',
  discord: 'discord.py',
  jwt: 'PyJWT',
  dateutil: 'python-dateutil',
  fitz: 'PyMuPDF',
  pkg_resources: 'setuptools<81',
  'google.genai': 'google-genai',
  'google.adk': 'google-adk',
  'google.generativeai': 'google-generativeai',
  'google.auth': 'google-auth',
  'google.oauth2': 'google-auth',
  'google.protobuf': 'protobuf',
};

/** What to do about a module that is not there; `text`: the agent's last lines, bounded. */
export function missingModule(module: string, text: string): string {
  const full = module.split('.')[0] === 'google' ? ofGoogle(text) : module;
  const cloud = cloudPackage(full);
  if (cloud !== undefined) return `The module 'google.cloud' is missing: add ${cloud} to the dependencies and deploy again.`;
  const name = packageOf[full];
  if (name !== undefined) return `The module '${full}' is missing: add ${name} to the dependencies and deploy again.`;
  const parent = module.split('.').slice(0, -1).join('.');
  // Without its parent, Python would have named the parent.
  if (parent !== '' && text.includes('ModuleNotFoundError'))
    return `The module '${module}' is missing, though ${parent} is there. If it is of a package, pin the version that the source was written for; if it is of the agent, put it into the archive.`;
  return `The module '${module}' is missing: add it to the dependencies and deploy again.`;
}

/** Many packages share the folder `google`; the line that imports tells which one is meant. */
function ofGoogle(text: string): string {
  const line = /^[ \t]{1,20}(?:from|import) (google(?:\.\w{1,60}){0,4})(?: import (\w{1,60}))?/m.exec(text);
  const [, from = 'google', what] = line ?? [];
  return /^google(?:\.cloud)?$/.test(from) && what !== undefined
    ? `${from}.${what}`
    : from
        .split('.')
        .slice(0, from.startsWith('google.cloud') ? 3 : 2)
        .join('.');
}

/** `google-cloud-tasks` of `google.cloud.tasks_v2`. */
function cloudPackage(module: string): string | undefined {
  const part = /^google\.cloud\.(\w{1,60})$/.exec(module)?.[1];
  return part && `google-cloud-${(part.split(/_v\d/)[0] ?? part).replaceAll('_', '-')}`;
}
