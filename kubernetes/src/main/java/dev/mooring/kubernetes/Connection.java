// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.FileFailures;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where an API server is and which user asks it: out of a kubeconfig file (tokens, certificates, exec credentials), or as a pod's service
 * account. Never holds what it read in a text form. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Connection {
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private final Config config;
    private final String source;

    private Connection(Config config, String source) {
        this.config = config;
        this.source = source;
    }

    /**
     * Reads a kubeconfig file.
     *
     * @param file the file, never null
     * @return the connection of its current context, never null
     * @throws ConnectionException if there is no such file, or it names no server
     */
    public static Connection ofKubeconfig(Path file) {
        if (Files.isDirectory(file)) {
            throw new ConnectionException(file + " is a directory, not a kubeconfig");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new ConnectionException(file + " is not a regular file");
        }
        Optional<Connection> plain = ofPlain(file);
        if (plain.isPresent()) {
            return plain.get();
        }
        Config config;
        try {
            config = Config.fromKubeconfig(file.toFile());
        } catch (RuntimeException e) {
            // The parser's own failures have no type in common with the client's; they go on for lines about where.
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new ConnectionException(file + " is not a usable kubeconfig: " + why);
        }
        if (config.getCurrentContext() == null) {
            throw new ConnectionException(file + " has no current-context that it defines");
        }
        return new Connection(config, file.toString());
    }

    /** Empty if the file is for the client's own reader. What that makes of some files it tells in words that do not help. */
    private static Optional<Connection> ofPlain(Path file) {
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            String text = Files.readString(file);
            if (text.lines().allMatch(Connection::saysNothing)) {
                throw new ConnectionException(file + " is empty");
            }
            Path directory = file.toAbsolutePath().resolveSibling("");
            return PlainKubeconfig.read(text, directory).map(plain -> {
                Config config = plain.config();
                if (!plain.token().isEmpty()) {
                    config.setOauthTokenProvider(new TokenFile(
                            file,
                            now -> PlainKubeconfig.read(now, directory).map(PlainKubeconfig::token),
                            changed,
                            plain.token()));
                }
                return new Connection(config, file.toString());
            });
        } catch (CharacterCodingException e) {
            throw new ConnectionException(file + " is not a usable kubeconfig: it must be text in UTF-8");
        } catch (NoSuchFileException e) {
            throw new ConnectionException("there is no file " + file);
        } catch (IOException e) {
            throw new ConnectionException(file + " cannot be read: " + FileFailures.reason(e));
        }
    }

    private static boolean saysNothing(String line) {
        return line.isBlank() || line.strip().startsWith("#") || line.strip().equals("---");
    }

    /**
     * As a pod: the service account's token and certificate, and the server's address from the environment. The token is read again when its
     * file has changed, since the kubelet renews it.
     *
     * @throws ConnectionException if this is no pod
     */
    public static Connection inCluster() {
        return inCluster(System.getenv(), SERVICE_ACCOUNT);
    }

    private static Connection inCluster(Map<String, String> environment, Path account) {
        if (!isPod(environment, account)) {
            throw new ConnectionException(
                    "this process does not run in a pod, which has KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT and "
                            + account.resolve("token"));
        }
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        // Not found out by the client, which would take a kubeconfig in the home directory first.
        Config config = Config.empty();
        config.setAutoConfigure(false);
        Config.configFromSysPropsOrEnvVars(config); // proxies
        config.setMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + environment.getOrDefault("KUBERNETES_SERVICE_PORT", ""));
        Path authority = account.resolve("ca.crt");
        if (Files.isReadable(authority)) {
            config.setCaCertFile(authority.toString());
        }
        config.setOauthTokenProvider(new TokenFile(account.resolve("token")));
        return new Connection(config, "the pod's service account");
    }

    private static boolean isPod(Map<String, String> environment, Path account) {
        return !environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty()
                && !environment.getOrDefault("KUBERNETES_SERVICE_PORT", "").isEmpty()
                && Files.isReadable(account.resolve("token"));
    }

    /**
     * As a Kubernetes component chooses: a file that was named, else the one that {@code KUBECONFIG} names, else as a pod. Unlike kubectl
     * it takes no {@code ~/.kube/config}, in which a person's own way to some cluster lies.
     *
     * @param file the file that was named
     * @param environment the environment
     * @throws ConnectionException if none of them is there
     */
    public static Connection choose(Optional<Path> file, Map<String, String> environment) {
        return choose(file, environment, SERVICE_ACCOUNT);
    }

    /** The same with another directory of the service account. */
    static Connection choose(Optional<Path> file, Map<String, String> environment, Path account) {
        if (file.isPresent()) {
            return ofKubeconfig(file.orElseThrow());
        }
        String named = environment.getOrDefault("KUBECONFIG", "");
        if (!named.isEmpty()) {
            return ofKubeconfig(Path.of(named));
        }
        if (isPod(environment, account)) {
            return inCluster(environment, account);
        }
        throw new ConnectionException(
                "no cluster: name a file with --kubeconfig or KUBECONFIG, or run as a pod with a service account");
    }

    /**
     * The same server for another user: by their token alone, without any credential of this connection.
     *
     * @param token a bearer token, never null
     * @return never null
     */
    public Connection withToken(String token) {
        Config other = Config.empty();
        other.setAutoConfigure(false);
        Config.configFromSysPropsOrEnvVars(other); // proxies
        other.setMasterUrl(config.getMasterUrl());
        other.setCaCertFile(config.getCaCertFile());
        other.setCaCertData(config.getCaCertData());
        other.setTrustCerts(config.isTrustCerts());
        other.setDisableHostnameVerification(config.isDisableHostnameVerification());
        other.setTlsServerName(config.getTlsServerName());
        other.setOauthTokenProvider(() -> token);
        return new Connection(other, "a token that was shown");
    }

    /** The server's address. */
    public String server() {
        return config.getMasterUrl();
    }

    Config config() {
        return config;
    }

    /** Where it was read from and the server's address; no credentials. */
    @Override
    public String toString() {
        return server() + " (" + source + ")";
    }
}
