import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { configure, copyPrivate, createFolder, type Place, run, type Started, uidOf } from './servers';

/** How a server of Debian is started in an own folder. */
export type Daemon = {
  program: string;
  version: readonly string[];
  /** `settings` are further lines of its configuration. */
  start(place: Place, settings?: readonly string[]): Started;
};

const postfix: Daemon = {
  program: '/usr/sbin/postfix',
  version: ['/usr/sbin/postconf', '-h', 'mail_version'],
  start({ directory, ports: [port], certificate }, settings = []) {
    const uid = uidOf('postfix');
    createFolder(directory, 'data', uid);
    createFolder(directory, 'queue');
    configure(directory, 'main.cf', [
      'compatibility_level = 3.6',
      `queue_directory = ${directory}/queue`,
      `data_directory = ${directory}/data`,
      'command_directory = /usr/sbin',
      'daemon_directory = /usr/lib/postfix/sbin',
      'mail_owner = postfix',
      'setgid_group = postdrop',
      'inet_interfaces = 127.0.0.1',
      'inet_protocols = ipv4',
      'mydestination =',
      'myhostname = mail.test',
      `maillog_file = ${directory}/log`,
      'maillog_file_prefixes = /',
      // Without a lookup of recipients, it needs no further processes.
      'local_recipient_maps =',
      'relay_recipient_maps =',
      'alias_maps =',
      `smtpd_tls_chain_files = ${certificate}`,
      'smtpd_tls_security_level = may',
      ...settings,
    ]);
    configure(directory, 'master.cf', [
      `127.0.0.1:${port} inet n - n - 10 smtpd`,
      'anvil unix - - n - 1 anvil',
      'tlsmgr unix - - n 1000? 1 tlsmgr',
      'postlog unix-dgram n - n - 1 postlogd',
    ]);
    execFileSync('/usr/sbin/postfix', ['-c', directory, 'check'], { stdio: 'ignore' });
    return run('/usr/lib/postfix/sbin/master', ['-c', directory]);
  },
};

const dovecot: Daemon = {
  program: '/usr/sbin/dovecot',
  version: ['/usr/sbin/dovecot', '--version'],
  start({ directory, ports: [imapPort, popPort, securePort], certificate }, settings = []) {
    const file = configure(directory, 'dovecot.conf', [
      `base_dir = ${createFolder(directory, 'run')}`,
      `state_dir = ${createFolder(directory, 'state')}`,
      'protocols = imap pop3',
      'listen = 127.0.0.1',
      `log_path = ${directory}/log`,
      'ssl = yes',
      `ssl_cert = <${certificate}`,
      `ssl_key = <${certificate}`,
      'disable_plaintext_auth = yes',
      'passdb {',
      '  driver = static',
      '  args = nopassword',
      '}',
      'service imap-login {',
      '  inet_listener imap {',
      `    port = ${imapPort}`,
      '  }',
      '  inet_listener imaps {',
      `    port = ${securePort}`,
      '    ssl = yes',
      '  }',
      '}',
      'service pop3-login {',
      '  inet_listener pop3 {',
      `    port = ${popPort}`,
      '  }',
      '  inet_listener pop3s {',
      '    port = 0',
      '  }',
      '}',
      ...settings,
    ]);
    return run('/usr/sbin/dovecot', ['-F', '-c', file]);
  },
};

const vsftpd: Daemon = {
  program: '/usr/sbin/vsftpd',
  version: ['/usr/bin/dpkg-query', '-f', '$' + '{Version}', '-W', 'vsftpd'],
  start({ directory, ports: [port], certificate }, settings = []) {
    const file = configure(directory, 'vsftpd.conf', [
      'listen=YES',
      'background=NO',
      'listen_address=127.0.0.1',
      `listen_port=${port}`,
      'anonymous_enable=NO',
      'local_enable=YES',
      `secure_chroot_dir=${createFolder(directory, 'empty')}`,
      'ssl_enable=YES',
      `rsa_cert_file=${certificate}`,
      `rsa_private_key_file=${certificate}`,
      ...settings,
    ]);
    return run('/usr/sbin/vsftpd', [file]);
  },
};

const openssh: Daemon = {
  program: '/usr/sbin/sshd',
  version: ['/usr/bin/dpkg-query', '-f', '$' + '{Version}', '-W', 'openssh-server'],
  start({ directory, ports: [port] }, settings = []) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, 'key')]);
    createFolder('/run', 'sshd');
    const file = configure(directory, 'sshd_config', [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${directory}/key`,
      `PidFile ${directory}/pid`,
      ...settings,
    ]);
    return run('/usr/sbin/sshd', ['-D', '-e', '-f', file]);
  },
};

const BIN = '/usr/lib/postgresql/15/bin';

const postgresql: Daemon = {
  program: join(BIN, 'postgres'),
  version: [join(BIN, 'postgres'), '--version'],
  start({ directory, ports: [port], certificate }, settings = []) {
    const uid = uidOf('postgres');
    const data = createFolder(directory, 'data', uid);
    const password = copyPrivate(configure(directory, 'password', ['secret']), join(directory, 'own'), uid);
    execFileSync(join(BIN, 'initdb'), ['-D', data, '-A', 'scram-sha-256', `--pwfile=${password}`], {
      uid,
      stdio: 'ignore',
    });
    const pem = copyPrivate(certificate, join(data, 'server.pem'), uid);
    const words = [
      ['port', String(port)],
      ['listen_addresses', '127.0.0.1'],
      ['unix_socket_directories', ''],
      ['ssl_cert_file', pem],
      ['ssl_key_file', pem],
    ].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    if (settings.includes('standby')) configure(data, 'standby.signal', ['']);
    const more = settings.filter((each) => each !== 'standby').flatMap((each) => ['-c', each]);
    return run(join(BIN, 'postgres'), ['-D', data, ...words, ...more], { uid });
  },
};

const mariadb: Daemon = {
  program: '/usr/sbin/mariadbd',
  version: ['/usr/sbin/mariadbd', '--version'],
  start({ directory, ports: [port] }, settings = []) {
    const uid = uidOf('mysql');
    const data = createFolder(directory, 'data', uid);
    execFileSync('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--user=mysql'], {
      stdio: 'ignore',
    });
    // Hosts without any account are refused at once.
    const init = copyPrivate(
      configure(directory, 'accounts', ["CREATE USER 'shop'@'%' IDENTIFIED BY 'secret';"]),
      join(data, 'accounts'),
      uid,
    );
    const words = [
      '--no-defaults',
      `--init-file=${init}`,
      `--datadir=${data}`,
      `--socket=${data}/socket`,
      `--pid-file=${data}/pid`,
      `--port=${port}`,
      '--bind-address=0.0.0.0',
      '--user=mysql',
    ];
    const own = settings.filter((each) => each !== 'named');
    // It counts errors only of hosts whose name it found.
    if (settings.includes('named')) return runNamed(directory, ['/usr/sbin/mariadbd', ...words, ...own]);
    return run('/usr/sbin/mariadbd', [...words, ...own]);
  },
};

/** Runs a program for which the hosts of loopback have names. */
function runNamed(directory: string, words: readonly string[]): Started {
  const hosts = configure(directory, 'hosts', ['127.0.0.1 localhost', '127.0.0.5 checked.test']);
  const script = 'mount --bind "$1" /etc/hosts && shift && exec "$@"';
  return run('unshare', ['--mount', 'sh', '-c', script, 'sh', hosts, ...words]);
}

const redis: Daemon = {
  program: '/usr/bin/redis-server',
  version: ['/usr/bin/redis-server', '--version'],
  start({ directory, ports: [port] }, settings = []) {
    const words = ['--port', String(port), '--save', '', '--dir', directory, '--bind', '0.0.0.0'];
    return run('/usr/bin/redis-server', [...words, ...settings]);
  },
};

/** The servers of Debian, by their name there. */
export const DAEMONS = { postfix, dovecot, vsftpd, openssh, postgresql, mariadb, redis };
