/** Python names with which a program can still only compute, print and read the files it names. */

/** A set of words that is built on first use: few lines contain a program. */
export function words(text: string): Pick<ReadonlySet<string>, 'has'> {
  let made: ReadonlySet<string> | null = null;
  return {
    has(word) {
      made ??= new Set(text.trim().split(/\s+/));
      return made.has(word);
    },
  };
}

/** Builtins that may be called, passed on and redefined. python-program.ts itself handles `open` and `type`. */
export const BUILTINS = words(`
  print len sorted range enumerate zip sum min max str int float complex list dict set tuple frozenset bytes bytearray bool any all
  isinstance issubclass repr ascii round reversed map filter abs chr ord hex oct bin divmod pow next iter slice hash id format callable
  exit quit __name__ Exception BaseException ArithmeticError AssertionError AttributeError EOFError FileNotFoundError ImportError
  IndexError IOError IsADirectoryError KeyError KeyboardInterrupt LookupError ModuleNotFoundError NameError NotImplementedError OSError
  OverflowError PermissionError RecursionError RuntimeError StopIteration SyntaxError SystemExit TypeError UnicodeDecodeError
  UnicodeEncodeError UnicodeError ValueError ZeroDivisionError`);

/** All other builtins of Python 2.7 to 3.14: such a name may mean the builtin even where a program seems to redefine it. */
export const OTHER_BUILTINS = words(`
  open type eval exec compile input breakpoint getattr setattr delattr hasattr globals locals vars dir help copyright credits license
  memoryview object super property classmethod staticmethod aiter anext execfile file raw_input reload apply buffer coerce intern unichr
  unicode xrange long basestring cmp reduce True False None NotImplemented Ellipsis`);

/**
 * Attributes that only compute on every object reachable with these names: strings, numbers, collections, matches, dates, files
 * opened for reading and the standard streams. None belongs to a module or leads to a frame, a code object or a class.
 */
export const ATTRIBUTES = words(`
  __name__ split rsplit splitlines strip lstrip rstrip startswith endswith lower upper title capitalize casefold swapcase join replace
  find rfind index rindex count encode decode isdigit isalpha isalnum isspace isupper islower isnumeric isdecimal isidentifier zfill ljust
  rjust center partition rpartition expandtabs translate maketrans removeprefix removesuffix hex fromhex from_bytes to_bytes bit_length
  is_integer real imag numerator denominator quantize
  get items keys values update pop popitem setdefault copy clear fromkeys append extend insert remove reverse sort add discard union
  intersection difference symmetric_difference issubset issuperset isdisjoint most_common elements total appendleft popleft rotate
  group groups groupdict start end span findall finditer search match fullmatch sub subn pattern string lastindex from_iterable
  read readline readlines close write flush isatty buffer seek tell getvalue reconfigure fieldnames line_num writerow writerows writeheader
  now utcnow today fromisoformat fromtimestamp utcfromtimestamp strptime strftime isoformat timestamp total_seconds days seconds
  microseconds date time year month day hour minute second microsecond weekday isoweekday isocalendar utc astimezone combine tzinfo
  utcoffset tm_year tm_mon tm_mday tm_hour tm_min tm_sec
  digest hexdigest ratio get_opcodes msg lineno colno pos errno strerror filename name names id body module args major minor micro`);

/** Modules and the members that may be used; `~` marks functions that read the path which is their only argument. */
const MODULES: Readonly<Record<string, string>> = {
  json: 'load loads dump dumps JSONDecodeError',
  re: 'compile search match fullmatch findall finditer sub subn split escape error I M S X A U IGNORECASE MULTILINE DOTALL VERBOSE ASCII UNICODE',
  sys: 'stdin stdout stderr argv exit version version_info platform maxsize byteorder executable prefix getsizeof getdefaultencoding',
  os: 'sep linesep name getcwd ~listdir',
  'os.path':
    'join basename dirname splitext split normpath commonpath commonprefix isabs abspath relpath ~exists ~isfile ~isdir ~islink ~getsize ~getmtime',
  collections: 'Counter defaultdict OrderedDict deque',
  datetime: 'datetime date time timedelta timezone UTC',
  time: 'time strftime gmtime localtime sleep perf_counter monotonic',
  math: 'ceil floor trunc sqrt isqrt log log2 log10 log1p exp pow sin cos tan asin acos atan atan2 pi e tau inf nan isnan isinf isfinite isclose gcd lcm fabs fmod hypot factorial comb perm fsum prod radians degrees dist',
  statistics: 'mean fmean median mode multimode stdev pstdev variance pvariance quantiles harmonic_mean geometric_mean',
  itertools:
    'chain groupby islice product permutations combinations count cycle repeat zip_longest accumulate starmap takewhile dropwhile tee pairwise batched combinations_with_replacement filterfalse compress',
  functools: 'reduce cmp_to_key',
  operator: 'itemgetter add sub mul',
  textwrap: 'dedent indent wrap fill shorten',
  string: 'ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable whitespace',
  csv: 'reader DictReader writer DictWriter QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE Error',
  base64: 'b64decode b64encode urlsafe_b64decode urlsafe_b64encode b32encode b32decode b16encode b16decode',
  binascii: 'hexlify unhexlify crc32',
  zlib: 'compress decompress crc32 adler32',
  hashlib: 'md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s',
  struct: 'pack unpack unpack_from calcsize iter_unpack',
  random: 'random randint randrange choice choices shuffle sample seed uniform',
  difflib: 'unified_diff ndiff context_diff SequenceMatcher get_close_matches',
  decimal: 'Decimal',
  fractions: 'Fraction',
  heapq: 'nlargest nsmallest heappush heappop heapify',
  bisect: 'bisect bisect_left bisect_right insort',
  html: 'escape unescape',
  unicodedata: 'name normalize category lookup',
  'urllib.parse': 'quote unquote quote_plus unquote_plus urlencode urljoin parse_qs parse_qsl',
  io: 'StringIO BytesIO',
  pprint: 'pprint pformat',
  shlex: 'split quote join',
  fnmatch: 'fnmatch fnmatchcase filter translate',
  tomllib: 'load loads TOMLDecodeError',
  ast: 'literal_eval walk dump get_docstring FunctionDef AsyncFunctionDef ClassDef Import ImportFrom Call Name Assign',
  pathlib: '~Path',
  urllib: '',
};

/** The kind of a module's member `name`: a value, a function that reads a path, another module; null for everything else. */
export function memberOf(module: string, name: string): 'value' | 'path' | 'module' | null {
  if (isModule(`${module}.${name}`)) return 'module';
  const members = MODULES[module]?.split(' ') ?? [];
  return members.includes(name) ? 'value' : members.includes(`~${name}`) ? 'path' : null;
}

export function isModule(name: string): boolean {
  return Object.hasOwn(MODULES, name);
}

/**
 * Python's own modules that the modules above load: at once, on the first call of a function, or for an error message. Python
 * looks for them in the current directory first. Those with a leading underscore are not listed. Source: sys.stdlib_module_names
 * of 3.11, and the additional ones of 2.7 and 3.12 to 3.14.
 */
const OWN_MODULES = words(`
  abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
  calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys commands compileall compression concurrent
  configparser contextlib contextvars copy copy_reg copyreg cpickle cprofile crypt cstringio csv ctypes curses dataclasses
  datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
  fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
  imaplib imghdr imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal
  math md5 mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc new nis nntplib nt ntpath nturl2path numbers opcode
  operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint
  profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter
  runpy sched secrets select selectors sets sha shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr socket
  socketserver spwd sqlite3 sre sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
  symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize
  tomllib trace traceback tracemalloc tty types typing unicodedata unittest urllib usercustomize userdict userlist userstring uu
  uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`);

/**
 * Whether a file or directory of this name, in the directory where Python starts, would be loaded instead of one of Python's own modules.
 */
export function shadowsModule(entry: string): boolean {
  const [stem = ''] = entry.toLowerCase().split('.');
  return (
    OWN_MODULES.has(stem) ||
    OWN_MODULES.has(stem.replace(/module$/, '')) ||
    (stem.startsWith('_') && !/^__(?:init|main|pycache)__$/.test(stem))
  );
}
