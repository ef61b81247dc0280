// Which programs main.mjs compares, and every difference that is meant to be.

/** Printed by `NAME --help`. */
const NAMES =
  'ls cat head tail uname id nproc df du stat readlink realpath basename dirname md5sum cksum base64 date tree file ' +
  'grep sort cut uniq tac nl wc fold fmt expand shuf paste join comm column diff cmp od hexdump xxd strings sed ' +
  'gzip zstd zcat zgrep tar touch mkdir rmdir rm mv cp ln chmod chown truncate tee mktemp split install csplit free ' +
  'uptime w who last lscpu lsblk findmnt vmstat top pgrep pstree lsof ss netstat bc patch iconv sum nm objdump ' +
  'readelf size bat eza delta hexyl tokei shellcheck xmllint diffstat rg fd ag curl wget rsync less more man ' +
  'hostname locale rev whoami';

/** Command → the words with which it prints its options. */
export const COMPARED = {
  ...Object.fromEntries(NAMES.split(' ').map((name) => [name, ['--help']])),
  ps: ['--help', 'all'],
  curl: ['--help', 'all'],
};

/** Options of the programs that no grammar names on purpose: each asks, whoever writes it. */
export const UNRATED = {
  cut: {
    why: 'No option: `-M` stands in its text for a range.',
    options: '-M',
  },
  diff: {
    why: 'Stands for eight options that the grammar names one by one.',
    options: '--GTYPE-group-format --LTYPE-line-format',
  },
  zstd: {
    why: 'Tuning and benchmarks; some write (`-o` is rated, `--train` writes a dictionary).',
    options:
      '--trace --adapt --long --patch-from --single-thread --auto-threads -B --rsyncable --exclude-compressed ' +
      '--stream-size --size-hint --target-compressed-block-size --no-dictID --format -M --train --train-cover ' +
      '--train-fastcover --train-legacy --maxdict --dictID -b -e -i -S --priority',
  },
  zcat: {
    why: 'Options of gzip that replace files, which make no sense here.',
    options: '-l --list -r --recursive -S --suffix --synchronous -t --test',
  },
  zgrep: {
    why: 'Options of grep that it says it does not support.',
    options: '--exclude --exclude-from --exclude-dir --include --null --null-data',
  },
  tar: {
    why: 'Options for making and unpacking archives, which ask anyway, and some that write while listing (`--index-file`).',
    options:
      '--catenate --test-label --check-device -g --listed-incremental -G --incremental --hole-detection ' +
      '--ignore-failed-read --level --no-check-device --no-seek --sparse-version -S --sparse --add-file ' +
      '--exclude-backups --exclude-caches --exclude-caches-all --exclude-caches-under --exclude-ignore ' +
      '--exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under --exclude-vcs-ignores ' +
      '--no-null --no-unquote --no-verbatim-files-from --null --unquote --verbatim-files-from ' +
      '--keep-directory-symlink --keep-newer-files --no-overwrite-dir --one-top-level --overwrite-dir ' +
      '--recursive-unlink --skip-old-files -U --unlink-first -W --verify --ignore-command-error ' +
      '--no-ignore-command-error --atime-preserve --clamp-mtime --delay-directory-restore --group-map ' +
      '--no-delay-directory-restore --no-same-permissions --owner-map --same-permissions --same-owner -s --acls ' +
      '--no-acls --no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude --xattrs-include -L --tape-length -M ' +
      '--multi-volume --volno-file -b --blocking-factor -B --read-full-records --record-size -H --old-archive ' +
      '--portability --pax-option --posix -V --label --backup --hard-dereference -K --starting-file --newer-mtime ' +
      '-N --newer --after-date --one-file-system --suffix --index-file -l --check-links --no-quote-chars ' +
      '--quote-chars --show-defaults --show-snapshot-field-ranges -w --interactive --confirmation -o -? --restrict ' +
      '--usage',
  },
  ps: {
    why: 'Rare views.',
    options: '-M -P --context -m -c',
  },
  lscpu: {
    why: 'Reads another machine picture than the running one.',
    options: '-s --sysroot',
  },
  lsblk: {
    why: 'Reads another machine picture than the running one.',
    options: '--sysroot',
  },
  findmnt: {
    why: 'Waits, or reads other tables, in which passwords may stand.',
    options: '-s --fstab -m --mtab -p --poll -w --timeout -F --tab-file -N --task -y --shell -x --verify --verbose',
  },
  pgrep: {
    why: 'Looks into locks and name spaces.',
    options: '-L --logpidfile --ns --nslist',
  },
  lsof: {
    why: 'Turns guards against hanging off, or needs rare rights.',
    options: '-K -O -Z -x',
  },
  netstat: {
    why: 'A protocol that is no more.',
    options: '--netrom',
  },
  patch: {
    why: 'Makes backup files.',
    options: '--backup-if-mismatch --no-backup-if-mismatch',
  },
  nm: {
    why: 'Rare; `--plugin` loads code.',
    options: '--recurse-limit --no-recurse-limit --ifunc-chars --target -U --unicode',
  },
  objdump: {
    why: 'Rare, and `-L` follows links to other debug files.',
    options:
      '-P --private -W --dwarf -L --process-links --ctf --sframe -E --endian -I --include --recurse-limit ' +
      '--no-recurse-limit -U --unicode --insn-width --adjust-vma --prefix --prefix-strip --dwarf-depth ' +
      '--dwarf-start --dwarf-check --ctf-parent --visualize-jumps --disassembler-color',
  },
  readelf: {
    why: 'Rare, and `-P` follows links to other debug files.',
    options:
      '--sym-base --recurse-limit --no-recurse-limit -U --unicode -R --relocated-dump -w --debug-dump -P ' +
      '--process-links --dwarf-depth --dwarf-start --ctf --ctf-parent --ctf-symbols --ctf-strings --sframe',
  },
  size: {
    why: 'Rare.',
    options: '-f --target -?',
  },
  man: {
    why: 'Formats pages in other ways, some with programs of its own choice.',
    options:
      '-K -s -d --debug -D --default --warnings --global-apropos -c --catman -R --recode -L --locale -m --systems -M ' +
      '--manpath -S --sections -e --extension -i --ignore-case -I --match-case --regex --wildcard --names-only ' +
      '--all -u --update --no-subpages -r --prompt -7 --ascii -E --encoding --no-hyphenation --nh ' +
      '--no-justification --nj -p --preprocessor -t --troff -T --troff-device -X --gxditview -Z --ditroff -? --help',
  },
  locale: {
    why: 'Said to be help.',
    options: '-? --usage',
  },
};

/** Options that a grammar names although this version of the program does not tell them. */
export const KNOWN_ONLY_TO_US = {
  tail: {
    why: 'BSD.',
    options: '-r',
  },
  df: {
    why: 'BSD.',
    options: '-m -g',
  },
  du: {
    why: 'BSD.',
    options: '-g',
  },
  stat: {
    why: 'BSD.',
    options: '-x',
  },
  base64: {
    why: 'BSD.',
    options: '-D -b --break',
  },
  date: {
    why: 'Older names, still accepted.',
    options: '--rfc-822 --rfc-2822',
  },
  file: {
    why: 'BSD.',
    options: '-I',
  },
  grep: {
    why: 'An older name of -i, still accepted.',
    options: '-y',
  },
  cut: {
    why: 'BSD.',
    options: '-w',
  },
  expand: {
    why: 'unexpand has them; it is the same entry.',
    options: '-a --all --first-only',
  },
  diff: {
    why: 'Its text names these as GTYPE and LTYPE; -L is the short form of --label.',
    options:
      '-L --old-line-format --new-line-format --unchanged-line-format --old-group-format --new-group-format ' +
      '--unchanged-group-format --changed-group-format',
  },
  xxd: {
    why: 'Long forms, still accepted.',
    options: '-plain -cols -len -name -seek -R -revert',
  },
  gzip: {
    why: 'bzip2 and xz have them; it is the same entry.',
    options: '--uncompress -z --compress -s --small -e --extreme --to-stdout -T --threads',
  },
  zstd: {
    why: 'Accepted, but told only by -H.',
    options: '--uncompress -z --compress --list -t --threads',
  },
  zcat: {
    why: 'xzcat and bzcat have them.',
    options: '-h -V',
  },
  zgrep: {
    why: 'Options of grep, which it passes on.',
    options:
      '--help -V --version -E --extended-regexp -F --fixed-strings -G -P -i --ignore-case -w --word-regexp -x ' +
      '--line-regexp -s --no-messages -v --invert-match -n --line-number -H --with-filename -h --no-filename -o ' +
      '--only-matching -q --quiet -a --text -l --files-with-matches -L --files-without-match -c --count --regexp -m ' +
      '--max-count -A --after-context -B --before-context -C --context',
  },
  rm: {
    why: 'BSD.',
    options: '-P -W -x',
  },
  cp: {
    why: 'BSD.',
    options: '-X -c',
  },
  ln: {
    why: 'BSD, and accepted by GNU.',
    options: '-h',
  },
  ps: {
    why: 'Letters in one word, told only as single letters, and forms of other versions.',
    options:
      '-ww -Z --no-heading -ef -eF -efl -elf -ely -efH -eH -ejH -eLf -efw -efww -eww -x -ax -aux -auxww -axu -axf ' +
      '-auxf -eo -Ao -axo -k -E -n',
  },
  free: {
    why: 'Newer versions.',
    options: '-L',
  },
  w: {
    why: 'Newer versions.',
    options: '-n -p --pids',
  },
  lscpu: {
    why: 'Newer versions.',
    options: '-r --raw --hierarchic',
  },
  lsblk: {
    why: 'Newer versions.',
    options: '-N --nvme -v --virtio',
  },
  pgrep: {
    why: 'Newer versions.',
    options: '--env',
  },
  lsof: {
    why: 'Other builds.',
    options: '-C',
  },
  ss: {
    why: 'Newer versions.',
    options: '-B --bound-inactive',
  },
  netstat: {
    why: 'Told only by the manual.',
    options: '--inet --inet6 --x25 -2 --l2cap -f --rfcomm --protocol',
  },
  nm: {
    why: 'Older names, still accepted.',
    options: '-H -v',
  },
  objdump: {
    why: 'Older names, still accepted.',
    options: '-V',
  },
  curl: {
    why: 'Its text is cut at the dot.',
    options: '--http1.1',
  },
};
