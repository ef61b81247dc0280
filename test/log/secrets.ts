/** Invents secrets in the formats that people use, in the places where agents put them. Nothing here is or was a real secret. */

/** A source of chance that can be repeated. */
export type Chance = (below: number) => number;

/** The generator mulberry32: the same seed gives the same secrets. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = `${UPPER}${UPPER.toLowerCase()}`;
const WORD = `${LETTERS}${DIGITS}`;
const HEX = `${DIGITS}abcdef`;
const URL_SAFE = `${WORD}-_`;
const BASE64 = `${WORD}+/`;

function run(roll: Chance, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[roll(alphabet.length)]).join('');
}

function pick<Item>(roll: Chance, items: readonly [Item, ...Item[]]): Item {
  return items[roll(items.length)] ?? items[0];
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Formats that a text gives away by itself. */
export const tokens: Readonly<Record<string, (roll: Chance) => string>> = {
  'GitHub classic': (roll) => `${pick(roll, ['ghp', 'gho', 'ghu', 'ghs', 'ghr'])}_${run(roll, WORD, 36)}`,
  'GitHub fine-grained': (roll) => `github_pat_${run(roll, WORD, 22)}_${run(roll, WORD, 59)}`,
  GitLab: (roll) => `${pick(roll, ['glpat', 'gldt', 'glrt'])}-${run(roll, URL_SAFE, 19)}${run(roll, WORD, 1)}`,
  'AWS key id': (roll) => `${pick(roll, ['AKIA', 'ASIA'])}${run(roll, `${UPPER}234567`, 15)}${run(roll, '234567', 1)}`,
  'Google API key': (roll) => `AIza${run(roll, URL_SAFE, 34)}${run(roll, WORD, 1)}`,
  'Google OAuth secret': (roll) => `GOCSPX-${run(roll, URL_SAFE, 27)}${run(roll, WORD, 1)}`,
  'Google access token': (roll) => `ya29.${run(roll, URL_SAFE, 80)}`,
  'Azure client secret': (roll) => `${run(roll, WORD, 3)}8Q~${run(roll, `${WORD}.~_-`, 33)}${run(roll, WORD, 1)}`,
  'Slack bot': (roll) => `xoxb-${run(roll, DIGITS, 12)}-${run(roll, DIGITS, 13)}-${run(roll, WORD, 24)}`,
  'Slack app': (roll) => `xapp-1-A${run(roll, UPPER, 10)}-${run(roll, DIGITS, 13)}-${run(roll, HEX, 64)}`,
  'Slack webhook': (roll) =>
    `https://hooks.slack.com/services/T${run(roll, UPPER, 8)}/B${run(roll, UPPER, 10)}/${run(roll, WORD, 24)}`,
  Stripe: (roll) => `${pick(roll, ['sk', 'rk'])}_${pick(roll, ['live', 'test'])}_${run(roll, WORD, 24)}`,
  'Stripe webhook': (roll) => `whsec_${run(roll, WORD, 32)}`,
  'OpenAI project': (roll) => `sk-proj-${run(roll, URL_SAFE, 100)}`,
  'OpenAI legacy': (roll) => `sk-${run(roll, WORD, 20)}T3BlbkFJ${run(roll, WORD, 20)}`,
  Anthropic: (roll) => `sk-ant-api03-${run(roll, URL_SAFE, 93)}AA`,
  npm: (roll) => `npm_${run(roll, WORD, 36)}`,
  PyPI: (roll) => `pypi-AgEIcHlwaS5vcmc${run(roll, URL_SAFE, 120)}`,
  JWT: (roll) =>
    `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: run(roll, DIGITS, 8), iat: 1 })}.${run(roll, URL_SAFE, 43)}`,
  'private key': (roll) => {
    const kind = pick(roll, ['RSA ', 'EC ', 'OPENSSH ', '']);
    const lines = Array.from({ length: 6 }, () => run(roll, BASE64, 64)).join('\n');
    return `-----BEGIN ${kind}PRIVATE KEY-----\n${lines}\n-----END ${kind}PRIVATE KEY-----`;
  },
  'Hugging Face': (roll) => `hf_${run(roll, WORD, 34)}`,
  SendGrid: (roll) => `SG.${run(roll, URL_SAFE, 22)}.${run(roll, URL_SAFE, 42)}${run(roll, WORD, 1)}`,
  Docker: (roll) => `dckr_pat_${run(roll, URL_SAFE, 26)}${run(roll, WORD, 1)}`,
  DigitalOcean: (roll) => `dop_v1_${run(roll, HEX, 64)}`,
  Vault: (roll) => `hvs.${run(roll, URL_SAFE, 90)}`,
  'connection string': (roll) =>
    `${pick(roll, ['postgres', 'mysql', 'mongodb+srv', 'redis', 'amqp'])}://desk:${password(roll)}@db.example.com:5432/desk`,
};

/** A password as a person or a generator makes it; none of its characters ends a word of a shell or a URL, and it does not look like an option. */
export function password(roll: Chance): string {
  const thought = () =>
    `${pick(roll, ['Summer', 'dragon', 'Welcome', 'hunter', 'letmein', 'Frühling'])}${run(roll, DIGITS, 2)}${pick(roll, ['!', '', '-x', '.'])}`;
  return pick(roll, [
    thought,
    () => `${run(roll, WORD, 1)}${run(roll, `${WORD}-_.!*+`, 11 + roll(12))}`,
    () => run(roll, LETTERS, 10),
  ])();
}

/** Keys that only their name gives away. */
export const keys: Readonly<Record<string, (roll: Chance) => string>> = {
  'AWS secret key': (roll) => run(roll, BASE64, 40),
  'hexadecimal key': (roll) => run(roll, HEX, pick(roll, [32, 40, 64])),
  'base64 key': (roll) => `${run(roll, BASE64, 43)}=`,
  'Azure account key': (roll) => `${run(roll, BASE64, 86)}==`,
  'word key': (roll) => run(roll, WORD, 24),
};

/** Where a token can stand. */
export const tokenPlaces: Readonly<Record<string, (token: string) => string>> = {
  alone: (token) => `echo ${token} | pbcopy`,
  argument: (token) => `./deploy.sh --verbose ${token} prod`,
  'quoted argument': (token) => `deploy "${token}" 'prod'`,
  environment: (token) => `DEPLOY=${token} ./deploy.sh`,
  export: (token) => `export GITHUB_TOKEN='${token}' && make`,
  header: (token) => `curl -sS -H "Authorization: Bearer ${token}" https://api.example.com/v1/me`,
  'token header': (token) => `curl -H 'PRIVATE-TOKEN: ${token}' https://git.example.com/api/v4/user`,
  'URL query': (token) => `curl "https://api.example.com/v1/me?page=2&access_token=${token}&x=1"`,
  'URL user': (token) => `git clone https://${token}@git.example.com/acme/desk.git`,
  'URL password': (token) => `git push https://oauth2:${token}@git.example.com/acme/desk.git`,
  'JSON argument': (token) => `curl -d '{"name":"desk","value":"${token}"}' https://api.example.com`,
  'here document': (token) => `cat > .env <<EOF\nNODE_ENV=production\nVALUE=${token}\nEOF`,
  'npm configuration': (token) => `npm config set //registry.npmjs.org/:_authToken=${token}`,
  'program text': (token) => `const client = new Client({ auth: "${token}" });`,
  'commit message': (token) => `git commit -m "use ${token}."`,
  base64: (token) => `echo ${Buffer.from(token).toString('base64')} | base64 -d`,
};

/** Tokens that hold a line break or a slash do not stand in every place. */
export function fits(format: string, place: string): boolean {
  if (format === 'private key') return ['quoted argument', 'export', 'here document', 'program text', 'base64'].includes(place);
  if (format === 'connection string' || format === 'Slack webhook') return !place.startsWith('URL');
  return true;
}

/** Where a key with a name can stand. */
export const keyPlaces: Readonly<Record<string, (key: string) => string>> = {
  environment: (key) => `AWS_SECRET_ACCESS_KEY=${key} aws s3 ls`,
  export: (key) => `export API_KEY="${key}"`,
  'fish shell': (key) => `set -gx SESSION_SECRET ${key}`,
  option: (key) => `deploy --api-key ${key} --region eu-west-1`,
  'option with =': (key) => `deploy --client-secret=${key} --region eu-west-1`,
  JSON: (key) => `{"accountName":"desk","accountKey":"${key}","tier":2}`,
  'escaped JSON': (key) => JSON.stringify({ body: JSON.stringify({ apiKey: key }) }),
  YAML: (key) => `storage:\n  account: desk\n  secret_key: ${key}\n`,
  INI: (key) => `[default]\naws_secret_access_key = ${key}\nregion = eu-west-1\n`,
  'program text': (key) => `const apiKey = '${key}';\nserver.listen(3000);`,
  Python: (key) => `SECRET_KEY = "${key}"\nDEBUG = False`,
  header: (key) => `curl -H "X-Api-Key: ${key}" https://api.example.com`,
  'basic header': (key) => `curl -H "Authorization: Basic ${key}" https://api.example.com`,
  cookie: (key) => `curl -H 'Cookie: sid=${key}; theme=dark' https://example.com`,
  'Azure connection string': (key) =>
    `DefaultEndpointsProtocol=https;AccountName=desk;AccountKey=${key};EndpointSuffix=core.windows.net`,
  'aws configure': (key) => `aws configure set aws_secret_access_key ${key}`,
  'container option': (key) => `docker run --rm -e JWT_SECRET=${key} -p 80:80 desk`,
  'kubectl literal': (key) => `kubectl create secret generic db --from-literal=api-key=${key}`,
};

/** Where a password can stand. */
export const passwordPlaces: Readonly<Record<string, (password: string) => string>> = {
  environment: (secret) => `PGPASSWORD=${secret} psql -h db -U desk`,
  'quoted environment': (secret) => `MYSQL_PWD='${secret}' mysql -u root`,
  option: (secret) => `createuser --password ${secret} --name ann`,
  'option with =': (secret) => `createuser --password=${secret} --name ann`,
  'quoted option': (secret) => `createuser --passphrase "${secret} two" --name ann`,
  mysql: (secret) => `mysql -h db -u root -p${secret} desk`,
  mysqldump: (secret) => `mysqldump -uroot -p'${secret}' desk > dump.sql`,
  sshpass: (secret) => `sshpass -p ${secret} ssh ann@example.com`,
  'docker login': (secret) => `docker login -u ann -p ${secret} registry.example.com`,
  'curl user': (secret) => `curl -sS -u ann:${secret} https://example.com/api`,
  'curl long user': (secret) => `curl --user "ann:${secret}" https://example.com/api`,
  'redis-cli': (secret) => `redis-cli -h cache -a ${secret} ping`,
  'connection string': (secret) => `psql postgresql://desk:${secret}@db.example.com:5432/desk -c 'select 1'`,
  'connection string in YAML': (secret) => `database:\n  url: "mysql://desk:${secret}@db/desk"\n`,
  JSON: (secret) => `curl -d '{"user":"ann","password":"${secret}"}' https://example.com/login`,
  form: (secret) => `curl -d "user=ann&password=${secret}&remember=1" https://example.com/login`,
  YAML: (secret) => `smtp:\n  user: ann\n  password: ${secret}\n`,
  'dot env': (secret) => `DB_HOST=db\nDB_PASSWORD=${secret}\nDB_NAME=desk\n`,
  openssl: (secret) => `openssl enc -aes-256-cbc -pass pass:${secret} -in a -out b`,
  'Java property': (secret) => `spring.datasource.password=${secret}`,
  SQL: (secret) => `psql -c "create user ann with password '${secret}'"`,
  'openssl enc -k': (secret) => `openssl enc -aes-256-cbc -k ${secret} -in a -out b`,
  'openssl -passin': (secret) => `openssl rsa -passin pass:${secret} -in key.pem`,
  'openssl -k at the end': (secret) => `tar c . | openssl enc -e -aes256 -out a.enc -k '${secret}'`,
  'basic auth in base64': (secret) =>
    `curl -H 'Authorization: Basic ${Buffer.from(`ann:${secret}`).toString('base64')}' https://example.com`,
  'basic auth by echo': (secret) => `curl -H "Authorization: Basic $(echo -n ann:${secret} | base64)" https://example.com`,
  'here document': (secret) => `cat > .env <<'EOF'\nDB_HOST=db\nDB_PASSWORD=${secret}\nEOF`,
  'here document of JSON': (secret) => `cat > c.json <<EOF\n{\n  "user": "ann",\n  "password": "${secret}"\n}\nEOF`,
  'URL user and password': (secret) => `git clone https://ann:${secret}@git.example.com/acme/desk.git`,
  'FTP URL': (secret) => `curl -T a ftp://ann:${secret}@ftp.example.com/`,
  'ADO connection string': (secret) => `sqlpackage /cs:"Server=db;Database=desk;User Id=ann;Password=${secret};Encrypt=true"`,
  'JDBC URL': (secret) => `java -jar a.jar --url "jdbc:mysql://db/desk?user=ann&password=${secret}&ssl=true"`,
  'sudo -S': (secret) => `echo '${secret}' | sudo -S apt-get update`,
  'password on standard input': (secret) => `echo ${secret} | docker login -u ann --password-stdin registry.example.com`,
  gpg: (secret) => `gpg --batch --passphrase ${secret} -d a.gpg`,
  ldapsearch: (secret) => `ldapsearch -x -D cn=ann -w ${secret} -b dc=example`,
  htpasswd: (secret) => `htpasswd -b -c users ann ${secret}`,
  'htpasswd -nb': (secret) => `htpasswd -nbB ann ${secret}`,
  sqlcmd: (secret) => `sqlcmd -S db -U ann -P ${secret} -Q 'select 1'`,
  mongo: (secret) => `mongosh -u ann -p ${secret} desk`,
  unzip: (secret) => `unzip -P ${secret} a.zip`,
  wget: (secret) => `wget --user=ann --password=${secret} https://example.com/a`,
  'curl --user=': (secret) => `curl --user=ann:${secret} https://example.com/api`,
  'curl -u at the end': (secret) => `curl https://example.com/api -u 'ann:${secret}'`,
  'ansible variable': (secret) => `ansible-playbook site.yaml -e ansible_password=${secret}`,
};

/** Inputs with fields, whose names say which of them are secret. */
export const inputPlaces: Readonly<Record<string, (key: string) => Record<string, unknown>>> = {
  field: (key) => ({ url: 'https://api.example.com', apiKey: key }),
  'nested field': (key) => ({ connection: { host: 'db', auth: { user: 'ann', password: key } } }),
  'environment map': (key) => ({ command: 'npm start', env: { NODE_ENV: 'test', STRIPE_SECRET_KEY: key } }),
  'argument list': (key) => ({ command: 'deploy', args: ['--verbose', '--token', key, 'prod'] }),
  'argument with =': (key) => ({ args: ['deploy', `--client-secret=${key}`] }),
  'name and value': (key) => ({ env: [{ name: 'API_TOKEN', value: key }] }),
  headers: (key) => ({ headers: { Authorization: `Bearer ${key}`, Accept: '*/*' } }),
  'file content': (key) => ({ file_path: '.env', content: `A=1\nACCESS_TOKEN=${key}\nB=2\n` }),
};

const hex = (roll: Chance, length: number) => run(roll, HEX, length);
const digest = (roll: Chance, bytes: number) => Buffer.from(Array.from({ length: bytes }, () => roll(256))).toString('base64');
const uuid = (roll: Chance) => `${hex(roll, 8)}-${hex(roll, 4)}-4${hex(roll, 3)}-a${hex(roll, 3)}-${hex(roll, 12)}`;

/** What looks as random as a secret and opens nothing, in the lines where it stands. */
export const fingerprints: Readonly<Record<string, (roll: Chance) => string>> = {
  'commit id': (roll) => `git show ${hex(roll, 40)} -- src/index.ts`,
  'short commit id': (roll) => `git cherry-pick ${hex(roll, 7)} ${hex(roll, 10)}`,
  'range of commits': (roll) => `git diff --stat ${hex(roll, 40)}..${hex(roll, 40)}`,
  'SHA-256 commit id': (roll) => `git merge-base ${hex(roll, 64)} main`,
  'commit id alone': (roll) => hex(roll, 40),
  UUID: (roll) => uuid(roll),
  'UUID in a path': (roll) => `cat /var/lib/jobs/${uuid(roll)}/result.json`,
  'UUID in a URL': (roll) => `curl -s https://api.example.com/v1/orders/${uuid(roll)}?expand=items`,
  'upper case UUID': (roll) => `xcrun simctl boot ${uuid(roll).toUpperCase()}`,
  'request id': (roll) => `{"level":"info","request_id":"${uuid(roll)}","msg":"done"}`,
  'image digest': (roll) => `docker pull registry.example.com/app@sha256:${hex(roll, 64)}`,
  'package-lock integrity': (roll) => `"integrity": "sha512-${digest(roll, 64)}",`,
  'yarn integrity': (roll) => `  integrity sha512-${digest(roll, 64)}`,
  'SHA-1 integrity': (roll) => `"integrity": "sha1-${digest(roll, 20)}"`,
  'subresource integrity': (roll) => `<script src="a.js" integrity="sha384-${digest(roll, 48)}" crossorigin></script>`,
  'go.sum': (roll) => `golang.org/x/mod v0.7.0 h1:${digest(roll, 32)}`,
  'Cargo.lock': (roll) => `checksum = "${hex(roll, 64)}"`,
  'sha256sum line': (roll) => `${hex(roll, 64)}  dist/app.tar.gz`,
  'sha256sum check': (roll) => `echo "${hex(roll, 64)}  app.tar.gz" | sha256sum -c -`,
  'pip hash': (roll) => `requests==2.32.0 --hash=sha256:${hex(roll, 64)}`,
  'poetry hash': (roll) => `{file = "a-1.0.tar.gz", hash = "sha256:${hex(roll, 64)}"},`,
  'nix hash': (roll) => `sha256 = "sha256-${digest(roll, 32)}";`,
  'file name with a hash': (roll) => `ls dist/assets/index-${hex(roll, 8)}.js dist/chunk.${hex(roll, 20)}.css`,
  'object of git': (roll) => `git cat-file -p ${hex(roll, 40)}^{tree}`,
  ETag: (roll) => `curl -H 'If-None-Match: "${hex(roll, 32)}"' https://example.com/a`,
  MD5: (roll) => `md5sum a.iso | grep ${hex(roll, 32)}`,
  'trace id': (roll) => `traceparent: 00-${hex(roll, 32)}-${hex(roll, 16)}-01`,
  'container id': (roll) => `docker logs --tail 50 ${hex(roll, 12)}`,
  'action pinned by commit': (roll) => `uses: actions/checkout@${hex(roll, 40)} # v4`,
  'public SSH key fingerprint': (roll) => `SHA256:${digest(roll, 32).slice(0, 43)} ann@desk (ED25519)`,
};
