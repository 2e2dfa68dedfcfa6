// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.access;

import dev.mooring.apiserver.file.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lets clients in and tells them that they talk to the right server: a certificate authority of this data directory alone, a
 * certificate of the server, one token, and a key that signs tokens of service accounts. They are made once and kept with mode 0600; the
 * server's certificate is made again when it is to listen on other addresses. Certificates whose time is over, or soon will be, are made
 * again, too; of the key that signs tokens only the key counts. Thread-safe.
 */
public final class Credentials {
    /** Where a client begins that names no namespace. */
    public static final String DEFAULT_NAMESPACE = "default";

    /** What opens the store of the {@linkplain #server server's certificate}. It is no secret: the store never leaves the process. */
    public static final String STORE_PASSWORD = "mooring";

    private static final int TOKEN_BYTES = 32;
    /** A certificate that ends sooner than this is made again: only a start looks at the authority, and a process may run for a year. */
    static final Duration LEAST_LEFT = Duration.ofDays(400);

    private static final Logger LOG = LoggerFactory.getLogger("access");

    private final String authority;
    private final ServerCertificate server;
    private final String token;
    private final SignedTokens signed;

    private Credentials(String authority, ServerCertificate server, String token, SignedTokens signed) {
        this.signed = signed;
        this.authority = authority;
        this.server = server;
        this.token = token;
    }

    /**
     * Reads what is kept in a directory, or makes it.
     *
     * @param directory is made if it is not there, for its owner alone
     * @param names DNS names and addresses of the server
     * @throws IOException if the directory cannot be read or written; the message names the file
     */
    public static Credentials in(Path directory, List<String> names, SecureRandom random, Instant now)
            throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        try {
            Certificates certificates = new Certificates(random, now);
            Identity authority = authority(directory.resolve("authority.pem"), certificates, now);
            ServerCertificate server =
                    ServerCertificate.in(directory.resolve("server.pem"), authority, names, random, now);
            Path signerFile = directory.resolve("service-accounts.pem");
            Optional<Identity> signer = kept(signerFile);
            return new Credentials(
                    Identity.pem(authority.certificate()),
                    server,
                    token(directory.resolve("token"), random),
                    new SignedTokens(signer.isPresent() ? signer.get() : made(signerFile, certificates)));
        } catch (GeneralSecurityException e) {
            throw new IOException("certificates cannot be made in " + directory + ": " + e.getMessage(), e);
        }
    }

    /**
     * Makes credentials that end with the process.
     *
     * @param names DNS names and addresses of the server
     */
    public static Credentials inMemory(List<String> names, SecureRandom random, Instant now) {
        try {
            Certificates certificates = new Certificates(random, now);
            Identity authority = certificates.authority();
            return new Credentials(
                    Identity.pem(authority.certificate()),
                    ServerCertificate.inMemory(authority, names, random, now),
                    newToken(random),
                    new SignedTokens(certificates.authority()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("certificates cannot be made: " + e.getMessage(), e);
        }
    }

    private static Identity authority(Path file, Certificates certificates, Instant now)
            throws IOException, GeneralSecurityException {
        Optional<Identity> known = kept(file);
        if (known.isPresent()) {
            if (known.get().lasts(now, LEAST_LEFT)) {
                return known.get();
            }
            tellOfReplacement(file, known.get(), now);
        }
        return made(file, certificates);
    }

    private static Identity made(Path file, Certificates certificates) throws IOException, GeneralSecurityException {
        Identity made = certificates.authority();
        PrivateFile.write(file, made.pem());
        return made;
    }

    /** Outside of its time it is the clock that may be wrong: then the old one is the right one again later, and is kept. */
    private static void tellOfReplacement(Path file, Identity old, Instant now) throws IOException {
        Instant end = old.end();
        String kept = "";
        if (!old.lasts(now, Duration.ZERO)) {
            Path copy = file.resolveSibling("authority.until-" + end.toString().substring(0, 10) + ".pem");
            PrivateFile.write(copy, Files.readAllBytes(file));
            kept = "; the old one is kept as " + copy;
        }
        LOG.warn(
                "the certificate authority (valid from {} to {}) is replaced by a new one. Replace copies of the"
                        + " kubeconfig on other machines{}",
                old.certificate().getNotBefore().toInstant(),
                end,
                kept);
    }

    static Optional<Identity> kept(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Identity.parse(Files.readString(file, StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new IOException(
                    file + " cannot be read: " + e.getMessage() + "; delete it to have a new one made", e);
        }
    }

    private static String token(Path file, SecureRandom random) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            String kept = Files.readString(file).strip();
            if (kept.length() < TOKEN_BYTES) {
                throw new IOException(file + " holds no token: delete it to have a new one made");
            }
            return kept;
        }
        String token = newToken(random);
        PrivateFile.write(file, (token + "\n").getBytes(StandardCharsets.US_ASCII));
        return token;
    }

    private static String newToken(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Key and certificate of the server. */
    public ServerCertificate server() {
        return server;
    }

    /** Signs tokens of service accounts, with a key of their own. */
    public SignedTokens signed() {
        return signed;
    }

    /** Whether a text is the token; takes as long whatever the text is. */
    public boolean isToken(String text) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** A kubeconfig for a server without TLS, which takes every client for the administrator. */
    public static String kubeconfigWithoutToken(String url, String namespace) {
        return """
                apiVersion: v1
                kind: Config
                current-context: mooring
                clusters:
                - name: mooring
                  cluster:
                    server: %s
                contexts:
                - name: mooring
                  context:
                    cluster: mooring
                    user: mooring
                    namespace: %s
                users:
                - name: mooring
                  user: {}
                """.formatted(url, namespace);
    }

    /** A kubeconfig for a server at this address. */
    public String kubeconfig(String url) {
        return kubeconfig(url, DEFAULT_NAMESPACE);
    }

    /** The same for a client that begins in another namespace. */
    public String kubeconfig(String url, String namespace) {
        String data = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
        return """
                apiVersion: v1
                kind: Config
                current-context: mooring
                clusters:
                - name: mooring
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                contexts:
                - name: mooring
                  context:
                    cluster: mooring
                    user: mooring
                    namespace: %s
                users:
                - name: mooring
                  user:
                    token: %s
                """.formatted(url, data, namespace, token);
    }
}
