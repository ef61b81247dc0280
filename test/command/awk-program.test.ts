/** Which programs of awk are known to print only. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { awkPrintsOnly } from '../../src/command/languages/awk-program.js';

const PRINTS: readonly string[] = [
  '{print $1}',
  '1',
  '/system\\(/',
  '/system\\(/ {print NR": "$0}',
  '!/getline/ {n++} END {print n}',
  'NR>=100 && NR<=150',
  '/^function/ {print NR": "$0}',
  '{sum+=$1} END {print sum}',
  'NR==FNR{a[$1];next} !($1 in a)',
  'length > 120',
  'length($0) > 120 {print FILENAME": "FNR}',
  '/START/,/END/',
  '!seen[$0]++',
  '$3 > 100 {printf "%s %d\\n", $1, $3}',
  'BEGIN{FS=","} {count[$2]++} END{for (k in count) print k, count[k]}',
  '{a[NR]=$1} END {print a[int(NR/2)]}',
  '{print $1 " > " $2}',
  '{print "a | b"}',
  '/a|b/ || /c>d/ {print}',
  '$1 ~ /^[a-z]+$/ && $2 !~ /x\\/y/',
  '{gsub(/[^0-9.]/, "", $2); print $2}',
  '{if ($1 > 5) print "big"; else print "small"}',
  '{if (/x/) n++}\nEND {\n  print n\n}',
  '{print substr($0, 1, 80)}',
  '{print ($1 + $2) / 2}',
  'BEGIN{for(i=0;i<10;i++) print i}',
  '{a=$1; b=$2; print a/b}',
  '/[[:space:]]$/ {print FILENAME ":" NR}',
  '{printf "%-20s %s\\n", $1, $2} END{printf("total %d\\n", NR)}',
  '{ n = split($0, parts, /,/); print n, parts[1] }',
  '{print\n}\n$1 > 3 {print "x"}',
];

const REFUSED: readonly (readonly [program: string, why: string])[] = [
  ['BEGIN{system("id")}', 'runs a command'],
  ['/x/{system("id")}', 'runs a command behind a pattern'],
  ['/x/system("id")', 'runs a command beside a pattern'],
  ['/system/{system("id")}', 'runs a command behind a pattern of the same name'],
  ['/a\\//system("id")/x/', 'the pattern holds an escaped slash'],
  ['/[/]/;system("id");/[/]/', 'the pattern holds a bracket'],
  ['1 /system("id")/ 1', 'no pattern begins it'],
  ['//system("id")/', 'an empty pattern'],
  ['/x/ {while (("id" | getline l) > 0) print l}', 'reads what a command prints'],
  ['BEGIN{system ("id")}', 'runs a command, with a blank'],
  ['BEGIN{ "id" | getline x; print x}', 'runs a command and reads what it prints'],
  ['BEGIN{ while ((getline x < "/etc/passwd") > 0) print x}', 'reads a file'],
  ['{print > "out"}', 'writes a file'],
  ['{print >> "out"}', 'appends to a file'],
  ['{print $1 > $2}', 'writes a file that its input names'],
  ['{print($1) > "out"}', 'writes a file behind parentheses'],
  ['{print $1,\n$2 > "out"}', 'a comma carries the statement over the line'],
  ['{print $1 &&\n$2 > "out"}', 'so does an operator'],
  ['{print (\n$2) > "out"}', 'so does a parenthesis'],
  ['{printf "%s", $0 > "out"}', 'writes a file'],
  ['{print | "sh"}', 'starts a program'],
  ['{print |& "sh"}', 'starts a program beside it'],
  ['BEGIN{print ENVIRON["TOKEN"]}', 'prints the environment'],
  ['BEGIN{ARGV[1]="/etc/passwd"; ARGC=2} 1', 'chooses the files that are read'],
  ['BEGIN{f="sys" "tem"; @f("id")}', 'calls a function by its name'],
  ['@load "filefuncs"; BEGIN{x=1}', 'loads an extension'],
  ['@include "x"', 'includes a file'],
  ['BEGIN{PROCINFO["x"]=1}', 'changes how awk works'],
  ['BEGIN{SYMTAB["ARGV"]=1}', 'reaches every variable'],
  ['function f(x){return x} {print f(1)}', 'a function of its own'],
  ['{if (1) /"/; print "x" > "out" #"', 'a pattern that looks like a division hides a string'],
  ['{if (1) /"/; print "x" > "out" ; "/" }', 'the same without a comment'],
  ['{x = length /"/; print "x" > "out"; y = "/ }', 'a name that takes no parentheses'],
  ['{print x++ /"/ > "out" /"/}', 'a slash behind an increment'],
  ['/[/]/ {print > "out" } /]/', 'a slash in brackets ends the pattern for some'],
  ['/[]/]/ {print > "out"}', 'a bracket that begins with its end'],
  ['/[[]/ {print > "out"} /]/', 'brackets that some count'],
  ['/a', 'a pattern without end'],
  ['{print "a', 'a string without end'],
  ['{print "a\\\n"}', 'a string over two lines'],
  ['{print a \\\n > "out"}', 'a line that goes on'],
  ['{print a >= b}', 'a comparison where a file could be named'],
  ['{print (a > b)}', 'a comparison where a file could be named'],
  ['BEGIN{close("x")}', 'closes what it opened'],
  ['{print fflush                              ("x")}', 'a call behind many blanks'],
  ['{ print # x > \n > "out" }', 'comments are not followed'],
  ['BEGIN{awk::system("id")}', 'a name with its namespace'],
  ['(print > "x"', 'a parenthesis without end'],
  ['{print `id`}', 'no letter of the language'],
  ['BEGIN{printf "x"\r> "out"}', 'a control character'],
];

for (const program of PRINTS) test(`prints only: ${program}`, () => assert.ok(awkPrintsOnly(program)));
for (const [program, why] of REFUSED) test(`${why}: ${program}`, () => assert.not(awkPrintsOnly(program)));

test('a long program takes one pass', () => {
  assert.not(awkPrintsOnly(`${'('.repeat(30_000)}`));
  assert.ok(awkPrintsOnly(`{print ${'1 + '.repeat(15_000)}1}`));
  assert.not(awkPrintsOnly(`/${'['.repeat(60_000)}`));
});

test.run();
