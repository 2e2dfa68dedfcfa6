// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import io.fabric8.kubernetes.client.Config;
import java.util.Optional;
import java.util.Set;

/**
 * Kubeconfigs of the usual sort: a server over HTTPS with its authority in the file, and a user with a token, or with a certificate and key
 * in the file. The client's own reader of all sorts loads some 800 classes, which an agent on each node of a cluster would keep in memory.
 * Immutable.
 *
 * @param server the server's address
 * @param authority the certificate of its authority, in base64
 * @param token the bearer token; empty for none
 * @param certificate the user's certificate in base64; empty for none
 * @param key its key in base64; empty for none
 */
record PlainKubeconfig(String server, String authority, String token, String certificate, String key) {
    private static final String HTTPS = "https://";
    private static final Set<String> OF_CLUSTER = Set.of("server", "certificate-authority-data");
    private static final Set<String> OF_USER = Set.of("token", "client-certificate-data", "client-key-data");

    /**
     * Reads one.
     *
     * @param text what the file holds
     * @return empty if it is of another sort, or none at all
     */
    static Optional<PlainKubeconfig> read(String text) {
        try {
            Document file = KubernetesYaml.standard().read(text, "a kubeconfig");
            String current = file.text("current-context").orElse("");
            Optional<Document> context = named(file, "contexts", current, "context");
            Optional<Document> cluster = context.flatMap(found -> found.text("cluster"))
                    .flatMap(name -> named(file, "clusters", name, "cluster"))
                    .filter(found -> OF_CLUSTER.equals(found.asMap().keySet()));
            Optional<Document> user = context.flatMap(found -> found.text("user"))
                    .flatMap(name -> named(file, "users", name, "user"))
                    .filter(found -> OF_USER.containsAll(found.asMap().keySet()));
            return cluster.flatMap(there -> user.map(who -> of(there, who))).filter(PlainKubeconfig::isWhole);
        } catch (CodecException e) {
            return Optional.empty();
        }
    }

    private static Optional<Document> named(Document file, String list, String name, String field) {
        return file.objects(list).stream()
                .filter(each -> each.text("name").filter(name::equals).isPresent())
                .reduce((first, second) -> Document.empty()) // two of one name are for the other reader
                .flatMap(each -> each.object(field));
    }

    private static PlainKubeconfig of(Document cluster, Document user) {
        return new PlainKubeconfig(
                cluster.text("server").orElse(""),
                cluster.text("certificate-authority-data").orElse(""),
                user.text("token").orElse(""),
                user.text("client-certificate-data").orElse(""),
                user.text("client-key-data").orElse(""));
    }

    private boolean isWhole() {
        return server.startsWith(HTTPS)
                && !authority.isEmpty()
                && certificate.isEmpty() == key.isEmpty()
                && token.isEmpty() != key.isEmpty();
    }

    /** What the client needs of it, except for the token. */
    Config config() {
        Config config = Config.empty();
        config.setAutoConfigure(false);
        config.setMasterUrl(server.endsWith("/") ? server : server + "/");
        config.setCaCertData(authority);
        if (!key.isEmpty()) {
            config.setClientCertData(certificate);
            config.setClientKeyData(key);
            config.setClientKeyAlgo(Config.getKeyAlgorithm(null, key));
        }
        return config;
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "PlainKubeconfig[server=" + server + "]";
    }
}
