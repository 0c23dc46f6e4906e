/** The Debian packages that native builds most often lack: by header, by library of pkg-config or the linker, by program. */
const headers: [RegExp, string][] = [
  [/^Python\.h$|^pyconfig\.h$/, 'python3-dev'],
  [/^(?:libpq-fe|postgres_ext)\.h$/, 'libpq-dev'],
  [/^(?:mysql|mysqld_error)\.h$/, 'default-libmysqlclient-dev'],
  [/^openssl\//, 'libssl-dev'],
  [/^ffi\.h$/, 'libffi-dev'],
  [/^libxml\//, 'libxml2-dev'],
  [/^libxslt\//, 'libxslt1-dev'],
  [/^zlib\.h$/, 'zlib1g-dev'],
  [/^sqlite3\.h$/, 'libsqlite3-dev'],
  [/^jpeglib\.h$/, 'libjpeg-dev'],
  [/^png\.h$/, 'libpng-dev'],
  [/^curl\/curl\.h$/, 'libcurl4-openssl-dev'],
  [/^sasl\//, 'libsasl2-dev'],
  [/^(?:lber|ldap)\.h$/, 'libldap2-dev'],
  [/^portaudio\.h$/, 'portaudio19-dev'],
  [/^alsa\//, 'libasound2-dev'],
  [/^sndfile\.h$/, 'libsndfile1-dev'],
  [/^(?:libavcodec|libavformat|libavutil|libavdevice)\//, 'libavcodec-dev libavformat-dev libavdevice-dev libavfilter-dev'],
  [/^cairo\.h$|^cairo\//, 'libcairo2-dev'],
  [/^pixman/, 'libpixman-1-dev'],
  [/^pango\//, 'libpango1.0-dev'],
  [/^vips\//, 'libvips-dev'],
  [/^gmp\.h$/, 'libgmp-dev'],
  [/^yaml\.h$/, 'libyaml-dev'],
  [/^hdf5\.h$/, 'libhdf5-dev'],
  [/^bluetooth\//, 'libbluetooth-dev'],
  [/^(?:re2|libusb-1\.0|graphviz|lzma|bzlib)/, ''],
];

const libraries: Record<string, string> = {
  pq: 'libpq-dev',
  libpq: 'libpq-dev',
  mysqlclient: 'default-libmysqlclient-dev',
  libmariadb: 'libmariadb-dev',
  ssl: 'libssl-dev',
  crypto: 'libssl-dev',
  openssl: 'libssl-dev',
  ffi: 'libffi-dev',
  libffi: 'libffi-dev',
  xml2: 'libxml2-dev',
  'libxml-2.0': 'libxml2-dev',
  xslt: 'libxslt1-dev',
  z: 'zlib1g-dev',
  zlib: 'zlib1g-dev',
  cairo: 'libcairo2-dev',
  pangocairo: 'libpango1.0-dev',
  'pixman-1': 'libpixman-1-dev',
  libavformat: 'libavformat-dev',
  libavcodec: 'libavcodec-dev',
  libavdevice: 'libavdevice-dev',
  vips: 'libvips-dev',
  'vips-cpp': 'libvips-dev',
  portaudio: 'portaudio19-dev',
  blas: 'libopenblas-dev',
  openblas: 'libopenblas-dev',
  lapack: 'liblapack-dev',
  hdf5: 'libhdf5-dev',
  sqlite3: 'libsqlite3-dev',
};

const programs: Record<string, string> = {
  cmake: 'cmake',
  ninja: 'ninja-build',
  'pkg-config': 'pkg-config',
  pkgconf: 'pkg-config',
  pg_config: 'libpq-dev',
  mysql_config: 'default-libmysqlclient-dev',
  'xml2-config': 'libxml2-dev',
  'xslt-config': 'libxslt1-dev',
  'curl-config': 'libcurl4-openssl-dev',
  swig: 'swig',
  gfortran: 'gfortran',
  cargo: 'cargo',
  rustc: 'rustc',
  git: 'git',
  go: 'golang-go',
  flex: 'flex',
  bison: 'bison',
  autoconf: 'autoconf',
  automake: 'automake',
  python3: 'python3',
  python: 'python3',
};

export const compilers = ['build-essential', 'pkg-config', 'python3-dev'];

export const packageOfHeader = (header: string): string | undefined => headers.find(([pattern]) => pattern.test(header))?.[1] || undefined;
export const packageOfLibrary = (name: string): string | undefined =>
  libraries[name.toLowerCase()] ?? libraries[name.toLowerCase().replace(/^lib/, '')];
export const packageOfProgram = (name: string): string | undefined =>
  /^(?:[\w-]{1,60}-)?(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+|cpp|make|gmake)(?:-[\d.]{1,6})?$/.test(name)
    ? 'build-essential'
    : programs[name];

/** The command that installs Debian packages. */
export const installCommand = (packages: string): string => `apt-get install -y --no-install-recommends ${packages}`;
