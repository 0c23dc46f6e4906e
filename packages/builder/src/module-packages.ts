/** The package on the index that contains a Python module, if their names differ. */
const packages: Record<string, string> = {
  dotenv: 'python-dotenv',
  bs4: 'beautifulsoup4',
  yaml: 'PyYAML',
  PIL: 'Pillow',
  cv2: 'opencv-python-headless',
  sklearn: 'scikit-learn',
  skimage: 'scikit-image',
  telegram: 'python-telegram-bot',
  telebot: 'pyTelegramBotAPI',
  discord: 'discord.py',
  agents: 'openai-agents',
  autogen: 'ag2',
  jwt: 'PyJWT',
  jose: 'python-jose',
  nacl: 'PyNaCl',
  Crypto: 'pycryptodome',
  OpenSSL: 'pyOpenSSL',
  dateutil: 'python-dateutil',
  slugify: 'python-slugify',
  multipart: 'python-multipart',
  docx: 'python-docx',
  pptx: 'python-pptx',
  fitz: 'PyMuPDF',
  magic: 'python-magic',
  psycopg2: 'psycopg2-binary',
  psycopg: 'psycopg[binary]',
  MySQLdb: 'mysqlclient',
  kafka: 'kafka-python',
  zmq: 'pyzmq',
  grpc: 'grpcio',
  websocket: 'websocket-client',
  dns: 'dnspython',
  git: 'GitPython',
  debug_toolbar: 'django-debug-toolbar',
  django_extensions: 'django-extensions',
  rest_framework: 'djangorestframework',
  corsheaders: 'django-cors-headers',
  environ: 'django-environ',
  github: 'PyGithub',
  faiss: 'faiss-cpu',
  tavily: 'tavily-python',
  weaviate: 'weaviate-client',
  speech_recognition: 'SpeechRecognition',
  googleapiclient: 'google-api-python-client',
  pkg_resources: 'setuptools<81',
  'google.genai': 'google-genai',
  'google.adk': 'google-adk',
  'google.generativeai': 'google-generativeai',
  'google.auth': 'google-auth',
  'google.oauth2': 'google-auth',
  'google.protobuf': 'protobuf',
};

/** `llama_index.llms.ollama`: each integration is a package of its own; the core and what it groups are not. */
const integration = /^llama_index\.([a-z_]{1,40})\.([a-z_]\w{1,60})$/;

/**
 * The package that contains a module, if its name differs from the module's. Many packages share the modules `google` and `llama_index`:
 * their names need two parts, or three for `google.cloud` and integrations of LlamaIndex.
 */
export function packageOfModule(module: string): string | undefined {
  const cloud = /^google\.cloud\.(\w{1,60})$/.exec(module)?.[1];
  if (cloud !== undefined) return `google-cloud-${(cloud.split(/_v\d/)[0] ?? cloud).replaceAll('_', '-')}`;
  const [, group, name] = integration.exec(module) ?? [];
  if (group !== undefined && group !== 'core' && name !== undefined) return `llama-index-${group}-${name}`.replaceAll('_', '-');
  return Object.hasOwn(packages, module) ? packages[module] : undefined;
}
