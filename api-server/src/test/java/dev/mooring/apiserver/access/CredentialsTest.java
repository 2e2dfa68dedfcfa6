// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What becomes of certificates, keys and the token as time goes by. */
class CredentialsTest {
    private static final String SUBJECT_KEY = "2.5.29.14";
    private static final String AUTHORITY_KEY = "2.5.29.35";
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration YEAR = Duration.ofDays(366);

    @TempDir
    private Path temporary = Path.of("");

    private Path directory = Path.of("");
    private final List<X509Certificate> shows = new ArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("access");

    @BeforeEach
    void listen() {
        directory = temporary.resolve("access");
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
    }

    private void show(KeyStore store) throws KeyStoreException {
        shows.add((X509Certificate) store.getCertificate("mooring"));
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private Credentials at(Instant now) throws IOException {
        return Credentials.in(directory, List.of("localhost", "127.0.0.1"), new SecureRandom(), now);
    }

    private X509Certificate server(Instant now) throws Exception {
        return shown(at(now));
    }

    private static X509Certificate shown(Credentials credentials) throws Exception {
        return (X509Certificate) credentials.server().store().getCertificate("mooring");
    }

    private byte[] file(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    private static void assertServes(X509Certificate certificate, Instant from, Duration time)
            throws GeneralSecurityException {
        certificate.checkValidity(Date.from(from));
        certificate.checkValidity(Date.from(from.plus(time)));
    }

    @Test
    void theSameAreUsedAgain() throws Exception {
        X509Certificate first = server(NOW);
        assertThat(server(NOW.plusSeconds(3600))).isEqualTo(first);
    }

    @Test
    void aProcessThatRunsForAYearServesNoCertificateWhoseTimeIsOver() throws Exception {
        for (int days = 0; days < 4000; days += 100) {
            Instant start = NOW.plus(Duration.ofDays(days));
            assertServes(server(start), start, YEAR);
        }
    }

    /** Strict clients refuse a chain without them. */
    @Test
    void certificatesNameTheirKeysAndThatOfTheirIssuer() throws Exception {
        X509Certificate server = server(NOW);
        X509Certificate authority = Identity.parse(Files.readString(directory.resolve("authority.pem")))
                .certificate();
        assertThat(server.getExtensionValue(SUBJECT_KEY)).isNotNull();
        byte[] subject = authority.getExtensionValue(SUBJECT_KEY);
        byte[] issuer = server.getExtensionValue(AUTHORITY_KEY);
        // Both end with the hash of the authority's key.
        assertThat(Arrays.copyOfRange(issuer, issuer.length - 20, issuer.length))
                .isEqualTo(Arrays.copyOfRange(subject, subject.length - 20, subject.length));
    }

    @Test
    void aServersCertificateIsRenewedUnderTheSameAuthority() throws Exception {
        X509Certificate first = server(NOW);
        byte[] authority = file("authority.pem");
        X509Certificate second = server(NOW.plus(Duration.ofDays(900)));
        assertThat(second).isNotEqualTo(first);
        assertThat(file("authority.pem")).isEqualTo(authority);
    }

    @Test
    void anAuthorityWhoseTimeIsOverIsRenewedWithTheServersCertificate() throws Exception {
        at(NOW);
        byte[] token = file("token");
        byte[] signer = file("service-accounts.pem");
        Instant late = NOW.plus(Duration.ofDays(5000));
        X509Certificate renewed = server(late);
        assertServes(renewed, late, YEAR);
        X509Certificate authority = Identity.parse(Files.readString(directory.resolve("authority.pem")))
                .certificate();
        renewed.verify(authority.getPublicKey());
        assertServes(authority, late, YEAR);
        assertThat(file("token")).isEqualTo(token);
        assertThat(file("service-accounts.pem"))
                .as("only the key counts: tokens stay good")
                .isEqualTo(signer);
    }

    @Test
    void whatWasMadeWhileTheClockWasAheadIsMadeAnew() throws Exception {
        server(NOW.plus(YEAR));
        assertServes(server(NOW), NOW, YEAR);
    }

    /** The clock may be behind once: clients have copies of the authority, so it must not be lost. */
    @Test
    void anAuthorityThatIsReplacedIsKept() throws Exception {
        server(NOW);
        byte[] authority = file("authority.pem");
        server(Instant.EPOCH);
        assertThat(file("authority.pem")).isNotEqualTo(authority);
        try (var files = Files.list(directory)) {
            Path copy = files.filter(path -> path.getFileName().toString().startsWith("authority.until-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readAllBytes(copy)).isEqualTo(authority);
            assertThat(Files.getPosixFilePermissions(copy)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void anAuthorityWhoseTimeComesToItsEndIsReplacedForGood() throws Exception {
        server(NOW);
        byte[] authority = file("authority.pem");
        server(NOW.plus(Duration.ofDays(3500)));
        assertThat(file("authority.pem")).isNotEqualTo(authority);
        try (var files = Files.list(directory)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .as("the clock is right: no client will need it again")
                    .noneMatch(name -> name.startsWith("authority.until-"));
        }
    }

    /** The process runs for years without a restart: it replaces the certificate that it shows shortly before its end. */
    @Test
    void aProcessThatRunsForYearsShowsOneWhoseTimeIsNotOver() throws Exception {
        Credentials credentials = at(NOW);
        byte[] authority = file("authority.pem");
        X509Certificate first = shown(credentials);
        credentials.server().renew(NOW.plus(Duration.ofDays(700)), this::show);
        assertThat(shows).isEmpty();
        Instant late = NOW.plus(Duration.ofDays(800));
        credentials.server().renew(late, this::show);
        assertThat(shows).containsExactly(shown(credentials)).doesNotContain(first);
        assertServes(shown(credentials), late, YEAR);
        credentials.server().renew(late, this::show);
        assertThat(shows).as("once").hasSize(1);
        assertThat(file("authority.pem")).isEqualTo(authority);
        assertThat(server(late)).as("kept for the next start").isEqualTo(shown(credentials));
    }

    @Test
    void aRenewedOneIsShownAlsoIfItCannotBeKeptAndKeptLater() throws Exception {
        Credentials credentials = at(NOW);
        Instant late = NOW.plus(Duration.ofDays(800));
        Path away = Files.move(directory, directory.resolveSibling("away"));
        for (int seconds = 0; seconds < 100; seconds++) {
            credentials.server().renew(late.plusSeconds(seconds), this::show);
        }
        assertThat(shows).containsExactly(shown(credentials));
        assertThat(warnings()).hasSize(1);
        Files.move(away, directory);
        credentials.server().renew(late.plus(Duration.ofMinutes(15)), this::show);
        assertThat(shows).as("the same").hasSize(1);
        assertThat(server(late)).as("kept for the next start").isEqualTo(shown(credentials));
    }

    @Test
    void theOneThatIsShownStaysUntilAnotherCanBeShown() throws Exception {
        Credentials credentials = at(NOW);
        X509Certificate first = shown(credentials);
        Instant late = NOW.plus(Duration.ofDays(800));
        List<X509Certificate> tried = new ArrayList<>();
        for (int minutes = 0; minutes < 25; minutes++) {
            credentials.server().renew(late.plus(Duration.ofMinutes(minutes)), store -> {
                tried.add((X509Certificate) store.getCertificate("mooring"));
                throw new IllegalStateException("as a key store may");
            });
        }
        assertThat(shown(credentials)).isEqualTo(first);
        assertThat(tried).as("with pauses, and the same each time").hasSize(3);
        assertThat(Set.copyOf(tried)).hasSize(1);
        assertThat(warnings()).hasSize(1);
        credentials.server().renew(late.plus(Duration.ofMinutes(30)), this::show);
        assertThat(shows).containsExactly(tried.get(0)).containsExactly(shown(credentials));
    }

    /** No client takes what outlives its authority for good, and a process may outlive both. */
    @Test
    void noCertificateOutlivesItsAuthorityWhoseEndIsTold() throws Exception {
        Credentials credentials = at(NOW.minus(Duration.ofDays(3000)));
        Instant end = Identity.parse(Files.readString(directory.resolve("authority.pem")))
                .end();
        X509Certificate last = shown(at(NOW));
        assertThat(last.getNotAfter().toInstant()).isEqualTo(end);
        Instant near = end.minus(Duration.ofDays(91));
        credentials.server().renew(near, this::show);
        assertThat(shows).hasSize(1);
        assertThat(shown(credentials).getNotAfter().toInstant()).isEqualTo(end);
        assertThat(warnings()).isEmpty();
        for (int days = 0; days < 100; days++) {
            credentials.server().renew(near.plus(Duration.ofDays(days)), this::show);
        }
        assertThat(shows).as("another would be no better").hasSize(1);
        assertThat(warnings()).hasSizeBetween(10, 16).allMatch(line -> line.contains("is valid until " + end));
    }

    @Test
    void aFileThatIsNoneIsNamedWithWhatToDo() throws Exception {
        at(NOW);
        Path broken = Files.writeString(directory.resolve("server.pem"), "nonsense");
        assertThatThrownBy(() -> at(NOW))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(broken.toString())
                .hasMessageContaining("delete it to have a new one made");
    }

    @Test
    void aTokenThatIsDeletedIsReplaced() throws Exception {
        at(NOW);
        String old = Files.readString(directory.resolve("token")).strip();
        Files.delete(directory.resolve("token"));
        Credentials after = at(NOW);
        assertThat(after.isToken(old)).isFalse();
        assertThat(after.isToken(Files.readString(directory.resolve("token")).strip()))
                .isTrue();
    }
}
