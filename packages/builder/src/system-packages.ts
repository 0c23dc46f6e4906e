// The programs and libraries in packages of Linux distributions, by the packages' names in Debian, Alpine and Fedora.

/** Programs and shared libraries (with their version) that this machine offers to agents besides languages. */
export interface SystemParts {
  programs: string[];
  libraries: string[];
}

interface SystemRequirement {
  /** Any one of these programs is enough. */
  programs?: string[];
  library?: string;
}

/** By Debian's name, followed by the other names of the same package. Packages of one program with the same name need no entry. */
const table: [names: string, SystemRequirement][] = [
  ['libgl1 libgl1-mesa-glx libgl1-mesa-dri mesa-gl mesa-libgl libglvnd-glx', { library: 'libGL.so.1' }],
  ['libglib2.0-0 libglib2.0-0t64 glib glib2', { library: 'libglib-2.0.so.0' }],
  ['libsm6 libsm', { library: 'libSM.so.6' }],
  ['libxext6 libxext', { library: 'libXext.so.6' }],
  ['libxrender1 libxrender', { library: 'libXrender.so.1' }],
  ['libx11-6 libx11', { library: 'libX11.so.6' }],
  ['libgomp1 libgomp', { library: 'libgomp.so.1' }],
  ['libmagic1 libmagic1t64 libmagic file-libs', { library: 'libmagic.so.1' }],
  ['libsndfile1 libsndfile', { library: 'libsndfile.so.1' }],
  ['libportaudio2 portaudio portaudio19-dev', { library: 'libportaudio.so.2' }],
  ['libpq5 libpq libpq-dev postgresql-libs', { library: 'libpq.so.5' }],
  ['libnss3 nss', { library: 'libnss3.so' }],
  ['libgbm1 mesa-gbm mesa-libgbm', { library: 'libgbm.so.1' }],
  ['libasound2 libasound2t64 alsa-lib', { library: 'libasound.so.2' }],
  ['libpango-1.0-0 pango', { library: 'libpango-1.0.so.0' }],
  ['libcairo2 cairo', { library: 'libcairo.so.2' }],
  ['libvips42 vips libvips', { library: 'libvips.so.42' }],
  ['poppler-utils', { programs: ['pdftotext', 'pdfinfo', 'pdftoppm'] }],
  ['tesseract-ocr tesseract', { programs: ['tesseract'] }],
  ['ghostscript', { programs: ['gs'] }],
  ['imagemagick', { programs: ['convert', 'magick'] }],
  ['graphviz', { programs: ['dot'] }],
  ['libreoffice libreoffice-core libreoffice-writer', { programs: ['soffice', 'libreoffice'] }],
  [
    'chromium chromium-browser google-chrome-stable',
    { programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] },
  ],
  ['chromium-driver chromium-chromedriver', { programs: ['chromedriver'] }],
  ['firefox-esr firefox', { programs: ['firefox', 'firefox-esr'] }],
  ['xvfb xorg-server-xvfb', { programs: ['Xvfb'] }],
  ['build-essential build-base', { programs: ['cc', 'gcc'] }],
  ['g++ gcc-c++', { programs: ['g++', 'c++'] }],
  ['openssh-client openssh openssh-clients', { programs: ['ssh'] }],
  ['procps procps-ng', { programs: ['ps'] }],
  ['netcat-openbsd netcat netcat-traditional', { programs: ['nc'] }],
  ['postgresql-client postgresql', { programs: ['psql'] }],
  ['redis-tools', { programs: ['redis-cli'] }],
  ['default-mysql-client mysql-client mariadb-client', { programs: ['mysql', 'mariadb'] }],
  ['dnsutils bind-tools bind-utils', { programs: ['dig'] }],
  ['iputils-ping iputils', { programs: ['ping'] }],
  ['ripgrep', { programs: ['rg'] }],
  ['supervisor', { programs: ['supervisord'] }],
  ['docker.io docker-cli docker-ce-cli', { programs: ['docker'] }],
  ['default-jre default-jre-headless default-jdk openjdk-17-jre openjdk-17-jre-headless openjdk-11-jre', { programs: ['java'] }],
  ['golang golang-go', { programs: ['go'] }],
  ['gnupg', { programs: ['gpg'] }],
  ['pkg-config pkgconf', { programs: ['pkg-config'] }],
  ['libimage-exiftool-perl', { programs: ['exiftool'] }],
  ['p7zip-full p7zip', { programs: ['7z', '7za'] }],
];

const known = new Map(table.flatMap(([names, given]) => names.split(' ').map((name) => [name, given] as const)));

/** Whether the machine has the contents of a package; undefined if the contents are unknown. */
export function machineHas(name: string, parts: SystemParts): boolean | undefined {
  const given = known.get(name);
  const { programs, library } = given ?? { programs: [name], library: undefined };
  if (programs?.some((program) => parts.programs.includes(program))) return true;
  if (library !== undefined) return parts.libraries.includes(library);
  if (given !== undefined) return false;
  if (byConvention(name, parts)) return true;
  return usual.has(name) ? false : undefined;
}

/** Programs that agents use and whose package has the same name. */
const usual = new Set(
  'ffmpeg git git-lfs curl wget jq unzip zip pandoc wkhtmltopdf sqlite3 nginx make cmake gcc clang cargo rustc ruby sox espeak espeak-ng mediainfo antiword nmap whois rsync tree gh kubectl redis-server'.split(
    ' ',
  ),
);

/** Debian's package of `libFoo.so.3` is called libfoo3. */
function byConvention(name: string, { libraries }: SystemParts): boolean {
  const version = /\d{1,4}$/.exec(name)?.[0];
  if (version === undefined || !name.startsWith('lib')) return false;
  const wanted = `${name.slice(0, -version.length)}.so.${version}`;
  return libraries.some((library) => library.toLowerCase() === wanted);
}

/** The package that contains a program or a shared library such as `libGL.so.1`: `wanted` if it does, otherwise Debian's. */
export function packageGiving(part: string, wanted?: string): string | undefined {
  const names = table.find(([, { programs, library }]) => library === part || programs?.includes(part))?.[0].split(' ') ?? [];
  const all = usual.has(part) ? [...names, part] : names;
  return wanted === undefined ? all[0] : all.find((name) => name === wanted);
}
