// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.access;

import dev.mooring.apiserver.file.PrivateFile;
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
 * Key and certificate of the server. Made again at a start if less is left than a process may run for; and while it runs, by {@link
 * #renew}, shortly before the end, under the same authority, so that clients notice nothing. Thread-safe.
 */
public final class ServerCertificate {
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);
    /** Between two tries of what fails: every connection, also without a token, is a reason to look. */
    private static final Duration PAUSE = Duration.ofMinutes(10);

    /** From then on the end of the authority is logged, once in each {@link #REMINDER}. */
    private static final Duration AUTHORITY_TOLD_BEFORE = Duration.ofDays(90);

    private static final Duration REMINDER = Duration.ofDays(7);
    private static final Logger LOG = LoggerFactory.getLogger("access");

    /** Where it is kept; empty if it ends with the process. */
    private final Optional<Path> file;

    private final Identity authority;
    private final List<String> names;
    private final SecureRandom random;
    private Identity current;
    private boolean kept = true;
    /** Made, and not shown so far because that failed. */
    private Optional<Identity> next = Optional.empty();

    private Optional<Instant> failed = Optional.empty();
    private Optional<Instant> reminded = Optional.empty();

    /** How the certificate comes to be shown to clients. */
    @FunctionalInterface
    public interface Showing {
        /**
         * Shows another certificate from now on; if it throws, the one before is shown.
         *
         * @param store its password is {@link Credentials#STORE_PASSWORD}
         */
        void show(KeyStore store) throws Exception;
    }

    private ServerCertificate(
            Optional<Path> file, Identity authority, List<String> names, SecureRandom random, Identity current) {
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
        if (kept.isPresent()) {
            return new ServerCertificate(Optional.of(file), authority, names, random, kept.get());
        }
        Identity made = new Certificates(random, now).server(authority, names);
        PrivateFile.write(file, made.pem());
        return new ServerCertificate(Optional.of(file), authority, names, random, made);
    }

    /** One that is kept nowhere. */
    static ServerCertificate inMemory(Identity authority, List<String> names, SecureRandom random, Instant now)
            throws GeneralSecurityException, IOException {
        Identity made = new Certificates(random, now).server(authority, names);
        return new ServerCertificate(Optional.empty(), authority, names, random, made);
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
     * Shows another certificate from now on, if the present one is nearly over, and keeps it for the next start. It is shown also
     * if it cannot be kept. What fails is logged once, and tried again some minutes later at the earliest, with the same certificate.
     */
    public synchronized void renew(Instant now, Showing showing) {
        remind(now);
        if (failed.filter(at -> isWithin(PAUSE, at, now)).isPresent()) {
            return;
        }
        try {
            if (isToBeRenewed(now)) {
                show(now, showing);
            }
            if (!kept) {
                if (file.isPresent()) {
                    PrivateFile.write(file.get(), current.pem());
                }
                kept = true;
            }
            failed = Optional.empty();
        } catch (Exception e) { // TLS and key stores throw many types; later connections use the old certificate
            if (failed.isEmpty()) {
                LOG.warn("the server's certificate cannot be renewed; this is tried again:", e);
            }
            failed = Optional.of(now);
        }
    }

    /** Clocks are set back, too: what is to come is not within the time since. */
    private static boolean isWithin(Duration time, Instant since, Instant now) {
        return !now.isBefore(since) && now.isBefore(since.plus(time));
    }

    /** No certificate lasts longer than the authority: a certificate that ends with it is the last. */
    private boolean isToBeRenewed(Instant now) {
        boolean longer = current.end().isBefore(authority.end())
                || current.certificate().getNotBefore().toInstant().isAfter(now);
        return !current.lasts(now, RENEWED_BEFORE) && longer && authority.end().isAfter(now);
    }

    private void show(Instant now, Showing showing) throws Exception {
        Optional<Identity> made = next.filter(each -> each.lasts(now, RENEWED_BEFORE));
        Identity after = made.isPresent() ? made.get() : new Certificates(random, now).server(authority, names);
        next = Optional.of(after);
        showing.show(after.keyStore(Credentials.STORE_PASSWORD));
        LOG.info("the server's certificate, which was valid until {}, was renewed", current.end());
        next = Optional.empty();
        current = after;
        kept = false;
    }

    private void remind(Instant now) {
        boolean near = !authority.end().isAfter(now.plus(AUTHORITY_TOLD_BEFORE));
        if (near && reminded.filter(at -> isWithin(REMINDER, at, now)).isEmpty()) {
            reminded = Optional.of(now);
            LOG.warn(
                    "the certificate authority, and with it the server's certificate, is valid until {}. Restart the server"
                            + " before, which makes new ones and a new kubeconfig. Then replace its copies on other machines",
                    authority.end());
        }
    }
}
