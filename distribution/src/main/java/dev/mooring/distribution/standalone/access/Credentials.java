// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.access;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * What lets clients in and tells them that they talk to the right server: a certificate authority of this data directory alone, a
 * certificate of the server, and one token. Authority and token are made once and kept with mode 0600; the server's certificate is made
 * at every start, for the addresses it listens on. Immutable.
 */
public final class Credentials {
    /** What opens {@link #server}. It is no secret: the store never leaves the process. */
    public static final String STORE_PASSWORD = Certificates.PASSWORD;

    private static final int TOKEN_BYTES = 32;
    /** An authority that ends sooner than this is made anew. */
    private static final Duration LEAST_LEFT = Duration.ofDays(30);

    private final String authority;
    private final KeyStore server;
    private final String token;

    private Credentials(String authority, KeyStore server, String token) {
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
            Path file = directory.resolve("authority.p12");
            KeyStore authority = readAuthority(file, now).orElse(null);
            if (authority == null) {
                authority = certificates.authority();
                byte[] bytes = Certificates.bytes(authority);
                writePrivate(file, bytes);
            }
            String pem = Certificates.pem(certificate(authority));
            return new Credentials(
                    pem, certificates.server(authority, names), token(directory.resolve("token"), random));
        } catch (GeneralSecurityException e) {
            throw new IOException("certificates cannot be made in " + directory + ": " + e.getMessage(), e);
        }
    }

    private static X509Certificate certificate(KeyStore authority) throws GeneralSecurityException {
        Certificate certificate = authority.getCertificate(Certificates.ALIAS);
        byte[] encoded = certificate.getEncoded();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static Optional<KeyStore> readAuthority(Path file, Instant now) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            KeyStore store = Certificates.keyStore(Files.readAllBytes(file));
            boolean lasts = certificate(store).getNotAfter().toInstant().isAfter(now.plus(LEAST_LEFT));
            return lasts ? Optional.of(store) : Optional.empty();
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
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
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        writePrivate(file, (token + "\n").getBytes(StandardCharsets.US_ASCII));
        return token;
    }

    /** Writes a file that only its owner can ever read, whole or not at all. */
    public static void writePrivate(Path file, byte[] content) throws IOException {
        Path parent = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
        Path draft = Files.createTempFile(
                parent,
                "." + file.getFileName(),
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(draft, content);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Key and certificate of the server; the password of the store is {@link #STORE_PASSWORD}. */
    public KeyStore server() {
        return server;
    }

    /** Whether a text is the token; takes as long whatever the text is. */
    public boolean isToken(String text) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** A kubeconfig for a server at this address. */
    public String kubeconfig(String url) {
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
                    namespace: default
                users:
                - name: mooring
                  user:
                    token: %s
                """.formatted(url, data, token);
    }
}
