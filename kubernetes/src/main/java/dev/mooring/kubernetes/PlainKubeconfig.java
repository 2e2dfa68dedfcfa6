// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kubeconfigs of the usual sort: a server over HTTPS with its authority, and a user with a token, or with a certificate and key. The client's
 * own reader of all sorts loads some 800 classes, which an agent on each node of a cluster would keep in memory. Immutable.
 *
 * @param server the server's address
 * @param authority the certificate of its authority
 * @param token the bearer token; empty for none
 * @param certificate the user's certificate; absent for none
 * @param key its key; absent for none
 */
record PlainKubeconfig(String server, Pem authority, String token, Pem certificate, Pem key) {
    private static final String HTTPS = "https://";
    private static final String AUTHORITY = "certificate-authority";
    private static final String CERTIFICATE = "client-certificate";
    private static final String KEY = "client-key";
    private static final String DATA = "-data";
    private static final Set<String> OF_CLUSTER = Set.of("server", AUTHORITY, AUTHORITY + DATA);
    private static final Set<String> OF_USER = Set.of("token", CERTIFICATE, CERTIFICATE + DATA, KEY, KEY + DATA);

    /**
     * A certificate or key.
     *
     * @param data in base64; empty for none
     * @param file where it lies; empty for none
     */
    record Pem(String data, String file) {
        private static Pem of(Document of, String field, Path directory) {
            String file = of.text(field).orElse("");
            return new Pem(
                    of.text(field + DATA).orElse(""),
                    file.isEmpty() ? "" : directory.resolve(file).toString());
        }

        private boolean isAbsent() {
            return data.isEmpty() && file.isEmpty();
        }

        private boolean isTwice() {
            return !data.isEmpty() && !file.isEmpty();
        }

        private @Nullable String dataOrNull() {
            return data.isEmpty() ? null : data;
        }

        private @Nullable String fileOrNull() {
            return file.isEmpty() ? null : file;
        }
    }

    /**
     * Reads one.
     *
     * @param text what the file holds
     * @param directory the file's directory, from which the paths in it go out
     * @return empty if it is of another sort, or none at all
     */
    static Optional<PlainKubeconfig> read(String text, Path directory) {
        try {
            Document file = KubernetesYaml.standard().read(text, "a kubeconfig");
            String current = file.text("current-context").orElse("");
            Optional<Document> context = named(file, "contexts", current, "context");
            Optional<Document> cluster = context.flatMap(found -> found.text("cluster"))
                    .flatMap(name -> named(file, "clusters", name, "cluster"))
                    .filter(found -> hasOnly(OF_CLUSTER, found));
            Optional<Document> user = context.flatMap(found -> found.text("user"))
                    .flatMap(name -> named(file, "users", name, "user"))
                    .filter(found -> hasOnly(OF_USER, found));
            return cluster.flatMap(there -> user.map(who -> of(there, who, directory)))
                    .filter(PlainKubeconfig::isWhole);
        } catch (CodecException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Optional<Document> named(Document file, String list, String name, String field) {
        return file.objects(list).stream()
                .filter(each -> each.text("name").filter(name::equals).isPresent())
                .reduce((first, second) -> Document.empty()) // two of one name are for the other reader
                .flatMap(each -> each.object(field));
    }

    /** A number that stands where a text should is no absent field: the other reader takes a token of digits. */
    private static boolean hasOnly(Set<String> texts, Document found) {
        return found.asMap().entrySet().stream()
                .allMatch(field -> texts.contains(field.getKey()) && field.getValue() instanceof String);
    }

    private static PlainKubeconfig of(Document cluster, Document user, Path directory) {
        return new PlainKubeconfig(
                cluster.text("server").orElse(""),
                Pem.of(cluster, AUTHORITY, directory),
                user.text("token").orElse(""),
                Pem.of(user, CERTIFICATE, directory),
                Pem.of(user, KEY, directory));
    }

    private boolean isWhole() {
        return server.startsWith(HTTPS)
                && !authority.isAbsent()
                && Stream.of(authority, certificate, key).noneMatch(Pem::isTwice)
                && certificate.isAbsent() == key.isAbsent()
                && token.isEmpty() != key.isAbsent();
    }

    /** What the client needs of it, except for the token. */
    Config config() {
        Config config = Config.empty();
        config.setAutoConfigure(false);
        config.setMasterUrl(server.endsWith("/") ? server : server + "/");
        config.setCaCertData(authority.dataOrNull());
        config.setCaCertFile(authority.fileOrNull());
        if (!key.isAbsent()) {
            config.setClientCertData(certificate.dataOrNull());
            config.setClientCertFile(certificate.fileOrNull());
            config.setClientKeyData(key.dataOrNull());
            config.setClientKeyFile(key.fileOrNull());
            config.setClientKeyAlgo(Config.getKeyAlgorithm(key.fileOrNull(), key.dataOrNull()));
        }
        return config;
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "PlainKubeconfig[server=" + server + "]";
    }
}
