// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.access;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Key and certificate of the server. Made anew at a start if less is left than a process may run for; and while it runs, by {@link
 * #renewed}, shortly before the end, under the same authority, so that clients notice nothing. Thread-safe.
 */
public final class ServerCertificate {
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);
    private static final Logger LOG = LoggerFactory.getLogger("access");

    private final Path file;
    private final Identity authority;
    private final List<String> names;
    private final SecureRandom random;
    private Identity current;

    private ServerCertificate(
            Path file, Identity authority, List<String> names, SecureRandom random, Identity current) {
        this.file = file;
        this.authority = authority;
        this.names = List.copyOf(names);
        this.random = random;
        this.current = current;
    }

    /**
     * Reads what is kept, or makes it.
     *
     * @param names DNS names and addresses of the server
     * @throws IOException if the file cannot be read or written; the message names it
     */
    static ServerCertificate in(Path file, Identity authority, List<String> names, SecureRandom random, Instant now)
            throws IOException, GeneralSecurityException {
        Optional<Identity> kept = Credentials.kept(file)
                .filter(each -> each.lasts(now, Credentials.LEAST_LEFT) && isFor(each, authority, names));
        Identity current = kept.isPresent() ? kept.get() : made(file, authority, names, random, now);
        return new ServerCertificate(file, authority, names, random, current);
    }

    private static Identity made(Path file, Identity authority, List<String> names, SecureRandom random, Instant now)
            throws IOException, GeneralSecurityException {
        Identity made = new Certificates(random, now).server(authority, names);
        Credentials.writePrivate(file, made.pem());
        return made;
    }

    private static boolean isFor(Identity server, Identity authority, List<String> names) {
        try {
            Set<String> certified = new HashSet<>();
            Collection<List<?>> alternatives = server.certificate().getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(each -> certified.add(String.valueOf(each.get(1))));
            }
            X509Certificate issuer = server.chain().get(server.chain().size() - 1);
            return certified.equals(Set.copyOf(names)) && issuer.equals(authority.certificate());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The one to be shown now; the password of the store is {@link Credentials#STORE_PASSWORD}. */
    public synchronized KeyStore store() throws IOException {
        try {
            return current.keyStore(Credentials.STORE_PASSWORD);
        } catch (GeneralSecurityException e) {
            throw new IOException("the server's certificate cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Another one, to be shown from now on, if the time of the one that is shown is nearly over; it is kept for the next start. If that
     * cannot be done it is logged, and tried again when asked again.
     */
    public synchronized Optional<KeyStore> renewed(Instant now) {
        if (current.lasts(now, RENEWED_BEFORE)) {
            return Optional.empty();
        }
        Identity before = current;
        try {
            current = made(file, authority, names, random, now);
            LOG.info(
                    "the server's certificate, whose time ends at {}, was made anew",
                    before.certificate().getNotAfter().toInstant());
            return Optional.of(store());
        } catch (IOException | GeneralSecurityException e) {
            current = before;
            LOG.warn("the server's certificate cannot be made anew: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
