/** Secrets that only their command gives away, in every spelling; and what stands in the same places and is none. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cappedInput } from '../../src/log/record/capped-input.js';
import { coverFor } from '../../src/log/record/mask-decision.js';
import { maskText } from '../../src/log/record/mask-text.js';

/** What a person thinks up: it looks like a word. */
const PASSWORD = 'hunter2x';

/** An option or operand whose value is a secret; VALUE stands for it. */
const values = `
mysql -h db -pVALUE desk|mysqldump -uroot -pVALUE desk|mariadb-dump -pVALUE desk|mysqladmin -u root password VALUE
sshpass -p VALUE ssh a@b|sshpass -pVALUE ssh a@b|docker login -u ann -p VALUE r.example.com|docker login -pVALUE|podman login -u a -p VALUE r
az login --service-principal -u app -p VALUE --tenant t|oc login -u ann -p VALUE|helm registry login -u a -p VALUE r
redis-cli -h c -a VALUE ping|redis-cli auth VALUE|redis-cli config set requirepass VALUE|valkey-cli -a VALUE ping
mongosh -u a -p VALUE desk|mongodump -pVALUE|cqlsh -u a -p VALUE|sqlcmd -S db -U ann -P VALUE|sqlcmd -PVALUE|sqlplus ann/VALUE@db
ldapsearch -x -D cn=a -w VALUE -b dc=x|ldapadd -xw VALUE|ldappasswd -s VALUE -D cn=a|smbclient //h/s -U ann%VALUE|smbclient -Uann%VALUE //h/s
rpcclient -U 'ann%VALUE' h|snmpget -v2c -c VALUE h sysUpTime.0|snmpwalk -c VALUE -v 1 h|snmpwalk -v3 -u ann -A VALUE -X VALUE h
ipmitool -H h -U a -P VALUE power status|mosquitto_pub -u a -P VALUE -t x -m y|vault login VALUE|vault operator unseal VALUE|cargo login VALUE
curl -u ann:VALUE https://x|curl -su ann:VALUE https://x|curl -uann:VALUE https://x|curl -b sid=VALUE https://x|curl -E c.pem:VALUE https://x
http -a ann:VALUE x.example.com|lftp -u ann,VALUE h|etcdctl --user=root:VALUE get k|etcdctl --user root:VALUE get k
zip -P VALUE a.zip b|zip -rP VALUE a.zip b|unzip -P VALUE a.zip|7z x -pVALUE a.7z|rar a -hpVALUE a.rar b|openssl enc -aes256 -k VALUE -in a
openssl passwd -6 VALUE|openssl dgst -sha256 -hmac VALUE a|openssl rsa -passin pass:VALUE|keytool -genkey -storepass VALUE -keypass VALUE
ssh-keygen -t ed25519 -N VALUE -f k|plink -pw VALUE a@b|xfreerdp /u:ann /p:VALUE /v:h|hydra -l a -p VALUE h ssh|twine upload -u a -p VALUE d/*
wpa_passphrase net VALUE|nmcli dev wifi connect home password VALUE|security add-generic-password -a ann -w VALUE|mkpasswd VALUE
htpasswd -b users ann VALUE|htpasswd -nb ann VALUE|rclone obscure VALUE|ansible-vault encrypt_string VALUE --name x
rabbitmqctl add_user ann VALUE|ngrok config add-authtoken VALUE|gpg --batch --passphrase VALUE -d a|wget --password=VALUE ftp://x
kubectl create secret generic x --from-literal=k=VALUE|kubectl create secret generic x --from-literal k=VALUE
kubectl -n a create secret generic x --from-literal=a=b1 --from-literal='k=VALUE'|kubectl patch secret x -p '{"stringData":{"k":"VALUE"}}'
flyctl secrets set K=VALUE|fly -a desk secrets set A=1 K=VALUE|supabase secrets set K=VALUE|doppler secrets set K VALUE|doppler secrets set -p x K VALUE
infisical secrets set K=VALUE|gh secret set K -b VALUE|gh secret set K -bVALUE|gh secret set K --body=VALUE|gh secret set K --body "VALUE"
heroku config:set K=VALUE -a desk|netlify env:set K VALUE|eas secret:create --name K --value VALUE|railway variables --set K=VALUE
aws ssm put-parameter --name /x --value VALUE --type SecureString|aws secretsmanager create-secret --name x --secret-string VALUE
aws secretsmanager put-secret-value --secret-id x --secret-string=VALUE|az keyvault secret set --vault-name v -n k --value VALUE
vault kv put secret/x k=VALUE|vault kv put -mount=secret x k=VALUE|vault write secret/x value=VALUE|glab variable set K --value VALUE
pulumi config set --secret desk:k VALUE|sops set a.yaml '["k"]' '"VALUE"'|sops --set '["k"] "VALUE"' a.yaml|npm config set //r.example.com/:_authToken VALUE
SSHPASS=VALUE sshpass -e ssh a@b|PGPASSWORD=VALUE psql|MYSQL_PWD=VALUE mysql|RESTIC_PASSWORD=VALUE restic backup a|REDISCLI_AUTH=VALUE redis-cli ping
psql postgres://ann:VALUE@db/desk|psql "host=db password=VALUE"|createuser --password VALUE ann
`;

/** Commands that take a secret as text; FED stands behind them. */
const fed = `
docker login -u ann --password-stdin r.example.com|helm registry login -u ann --password-stdin r|gh auth login --with-token
gh secret set K|glab auth login --stdin|wrangler secret put K|npx wrangler secret put K|vercel env add K production|firebase functions:secrets:set K
gcloud secrets create k --data-file=-|gcloud secrets versions add k --data-file=-|docker secret create k -|podman secret create k -|flyctl secrets import
kubectl create secret generic x --from-file=k=/dev/stdin|vault kv put secret/x k=-|vault login -|sudo -S apt-get update|sudo -kS ls|su -c id root
sudo chpasswd|passwd --stdin ann|passwd ann|smbpasswd -s ann|kinit ann|cryptsetup luksOpen /dev/sdb1 x -|cryptsetup open --key-file=- /dev/sdb1 x
gpg --batch --passphrase-fd 0 -d a.gpg|openssl passwd -stdin|openssl enc -aes256 -pass stdin -in a|htpasswd -i users ann|ssh-add -|pass insert -e x
secret-tool store --label=x a b|restic -r r --password-file /dev/stdin backup a|mysql|mysql -p|mysql -u root -p desk|psql -W|mongosh -p|ldapsearch -W
read -rs PASSWORD|frob --api-token-stdin|frob set-password|frob --passphrase-fd 0|wg pubkey|bash -c 'sudo -S ls'
`;
const feeds: readonly ((command: string) => string)[] = [
  (command) => `${command} <<< ${PASSWORD}`,
  (command) => `${command} <<<"${PASSWORD}"`,
  (command) => `${command} < <(echo ${PASSWORD})`,
  (command) => `${command} <<EOF\n${PASSWORD}\nEOF`,
  (command) => `echo ${PASSWORD} | ${command}`,
  (command) => `cd a && echo -n '${PASSWORD}' | ${command} && ls`,
  (command) => `printf '%s\\n' "${PASSWORD}" | ${command}`,
  (command) => `printf %s ${PASSWORD} | tr -d '\\n' | ${command}`,
  (command) => `(echo ${PASSWORD}; echo ${PASSWORD}) | ${command}`,
  (command) => `{ echo ${PASSWORD}; echo ${PASSWORD}; } | ${command}`,
  (command) => `cat <<< ${PASSWORD} | ${command}`,
];

/** Files that are no files. */
const substituted = `
docker login -u a -p "$(echo VALUE)"|docker login -u a -p $(echo VALUE) r|sshpass -f <(echo VALUE) ssh a@b|openssl enc -pass file:<(echo VALUE) -in a
ansible-playbook --vault-password-file <(echo VALUE) x.yml|restic --password-file <(printf %s VALUE) backup a|gpg --passphrase-file <(echo VALUE) -d a
kubectl create secret generic x --from-file=k=<(echo VALUE)|gcloud secrets create k --data-file=<(echo -n VALUE)|cryptsetup --key-file <(echo VALUE) open a b
wg set wg0 private-key <(echo VALUE)|API_TOKEN=$(echo VALUE) frob|export DB_PASSWORD="$(printf %s VALUE)"|frob --token "$(echo VALUE)"|frob --token=$(echo VALUE)
mysql --defaults-extra-file=<(printf '[client]\\npassword=VALUE')|smbclient -A <(echo "password=VALUE") //h/s|ssh-add <(echo VALUE)|chpasswd < <(echo ann:VALUE)
`;

const split = (table: string) => table.trim().split(/[|\n]/);
const valueLines = split(values).map((line) => line.replaceAll('VALUE', PASSWORD));
const fedLines = split(fed).flatMap((command) => feeds.map((feed) => feed(command)));
const substitutedLines = split(substituted).map((line) => line.replaceAll('VALUE', PASSWORD));
const wrapped = (line: string) => [line, `bash -c "${line.replaceAll('"', '\\"')}"`, JSON.stringify({ command: line })];

test('values of options and operands', () => {
  const lines = valueLines.flatMap(wrapped);
  assert.is(lines.filter((line) => maskText(line).includes(PASSWORD)).join('\n'), '');
  assert.ok(lines.length > 300);
});

test('text that is fed', () => {
  assert.is(fedLines.filter((line) => maskText(line).includes(PASSWORD)).join('\n'), '');
  assert.ok(fedLines.length > 400);
});

test('what a substitution says', () => {
  assert.is(substitutedLines.filter((line) => maskText(line).includes(PASSWORD)).join('\n'), '');
});

test('a list of arguments', () => {
  const lists = ['docker login -u ann -p VALUE', 'mysql -pVALUE desk', 'fly secrets set K=VALUE', 'snmpget -c VALUE host'];
  for (const list of lists) {
    const args = list.replace('VALUE', PASSWORD).split(' ');
    const { value, masked } = cappedInput({ args });
    assert.not.ok(JSON.stringify(value).includes(PASSWORD), list);
    assert.is(masked.length, 1);
  }
});

test('a message that quotes a part of the command', () => {
  const cover = coverFor({ command: `echo ${PASSWORD} | docker login -u ann --password-stdin` });
  assert.is(cover(`echo ${PASSWORD}: asks.`), 'echo ********: asks.');
  assert.is(coverFor({ command: 'echo hello' })('echo hello'), 'echo hello');
});

// Lines that hold no secret, and stay as they are.
const harmless = [
  'git commit -m "k=v" -p',
  'grep -c password a.txt',
  'ping -c 3 example.com',
  'ping -c3 host | grep -c ttl',
  'kubectl create configmap x --from-literal=k=v',
  'kubectl get secrets -o name',
  'kubectl describe secret x',
  'kubectl create -f a.yaml',
  'kubectl patch deployment x -p "{}"',
  'gh secret list',
  'gh variable set MODE --env production',
  'flyctl secrets list',
  'mysql -u root -p desk',
  'mysql -u root desk <<< "select 1; select 2"',
  'psql desk <<< "\\dt"',
  'psql desk <<EOF\nselect 1;\nEOF',
  'PGPASSWORD=$P psql <<< "select 1"',
  'docker login -u ann --password-stdin < token.txt',
  'echo "$TOKEN" | docker login -u ann --password-stdin',
  'printf %s "$TOKEN" | gh secret set K',
  'docker run -p 80:80 x',
  'mkdir -p a/b && cp -p a b',
  'ssh -p 2222 ann@b',
  'echo hello | grep -c password',
  'echo hello | wc -c',
  'grep token <<< "a token b"',
  'diff <(echo a) <(echo b)',
  'sort --key=2 <<< "b 1"',
  'cat > src/login.ts <<EOF\nexport const a = 1;\nEOF',
  'git commit -F - <<EOF\nLet people log in\nEOF',
  'gh pr create --title x --body-file - <<EOF\nLogin\nEOF',
  'curl -u "$USER:$PASS" https://x',
  'curl -b cookies.txt https://x',
  'curl -sS https://x/login -o a -w "%{http_code}"',
  'zip -r a.zip b -x c',
  'openssl x509 -in a.pem -noout -check -text',
  'openssl rsa -check -in a.pem',
  'tar -c -f a.tar b',
  'snmptranslate -On x',
  'vault kv get secret/x',
  'vault status',
  'aws ssm get-parameter --name /x',
  'az keyvault secret list --vault-name v',
  'npm run test:login -- -t "a b"',
  'npx playwright test login.spec.ts --project chromium',
  'python3 scripts/seed.py --set a=b',
  'helm upgrade x . --set image.tag=1.2.3',
  'sudo -u ann ls',
  'echo done | sudo tee /etc/motd',
  "echo 'it is done' && sudo ls",
  'wg show',
  'pass ls',
];

for (const line of harmless)
  test(`stays: ${line}`, () => {
    assert.is(maskText(line), line);
  });

test.run();
