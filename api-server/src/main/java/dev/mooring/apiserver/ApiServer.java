// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver;

import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.file.PrivateFile;
import dev.mooring.apiserver.rest.ApiEndpoint;
import dev.mooring.apiserver.rest.FirstNamespaces;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * Serves a store as an API server does, in this process.
 *
 * <pre>{@code
 * var store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
 * try (ApiServer server = ApiServer.builder(store).start()) {
 *     server.writeKubeconfig(Path.of("kubeconfig")); // for kubectl --kubeconfig kubeconfig
 * }
 * }</pre>
 *
 * <p>It answers requests and does nothing by itself: controllers work on the store. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ApiServer implements AutoCloseable {
    private final ApiEndpoint endpoint;
    private final String url;
    private final UnaryOperator<String> kubeconfig;

    private ApiServer(ApiEndpoint endpoint, String url, UnaryOperator<String> kubeconfig) {
        this.endpoint = endpoint;
        this.url = url;
        this.kubeconfig = kubeconfig;
    }

    /**
     * Begins to describe a server.
     *
     * @param store what is served; stays the caller's, who closes it after the server; never null
     */
    public static Builder builder(DocumentStore store) {
        return new Builder(store);
    }

    /** Describes a server: on a free port of the loopback, by TLS, with keys that end with it, unless something else is asked for. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {
        private final DocumentStore store;
        private InetAddress address = InetAddress.getLoopbackAddress();
        private int port;
        private boolean plain;
        private Optional<Path> directory = Optional.empty();
        private InstantSource clock = InstantSource.system();
        private Optional<InstantSource> objectClock = Optional.empty();

        private Builder(DocumentStore store) {
            this.store = store;
        }

        /** Where to listen. */
        public Builder address(InetAddress newAddress) {
            address = newAddress;
            return this;
        }

        /**
         * The port to listen on.
         *
         * @param newPort 0 for a free one
         */
        public Builder port(int newPort) {
            port = newPort;
            return this;
        }

        /**
         * Listens without TLS, and takes each client that brings no token for the administrator. Every user of this machine can do
         * everything then, so only a loopback address is accepted.
         */
        public Builder plain() {
            plain = true;
            return this;
        }

        /**
         * Keeps keys and token in a directory, so that a kubeconfig is good for the next start too.
         *
         * @param newDirectory is made if it is not there, for its owner alone
         */
        public Builder credentialsIn(Path newDirectory) {
            directory = Optional.of(newDirectory);
            return this;
        }

        /** The time of tokens and certificates, and of what the server notes on objects. */
        public Builder clock(InstantSource newClock) {
            clock = newClock;
            return this;
        }

        /** The time of objects alone, such as their age: for a store whose clock is not that of the wall. */
        public Builder objectClock(InstantSource newClock) {
            objectClock = Optional.of(newClock);
            return this;
        }

        /**
         * Makes the namespaces that every cluster has, and starts to listen.
         *
         * @throws IOException if it cannot listen there, or keys cannot be kept; the message says where and why
         * @throws IllegalArgumentException if a plain server is to listen to other machines
         */
        public ApiServer start() throws IOException {
            if (plain && !address.isLoopbackAddress()) {
                throw new IllegalArgumentException(
                        "a server without TLS listens on a loopback address only, not on " + address.getHostAddress());
            }
            SecureRandom random = new SecureRandom();
            Credentials credentials = credentials(random);
            ServiceAccountTokens tokens =
                    new ServiceAccountTokens(store, credentials.signed(), clock, IdSource.random(random));
            FirstNamespaces.make(store);
            ApiEndpoint.Builder described =
                    ApiEndpoint.builder(store, credentials, tokens, clock).objectClock(objectClock.orElse(clock));
            ApiEndpoint endpoint = (plain ? described.plain() : described).start(address, port);
            String url = (plain ? "http://" : "https://") + host() + ":" + endpoint.port();
            return new ApiServer(
                    endpoint,
                    url,
                    namespace -> plain
                            ? Credentials.kubeconfigWithoutToken(url, namespace)
                            : credentials.kubeconfig(url, namespace));
        }

        private Credentials credentials(SecureRandom random) throws IOException {
            Set<String> names = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", host()));
            return directory.isPresent()
                    ? Credentials.in(directory.get(), List.copyOf(names), random, clock.instant())
                    : Credentials.inMemory(List.copyOf(names), random, clock.instant());
        }

        private String host() {
            return address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        }
    }

    /** Where it listens, such as {@code https://127.0.0.1:6443}. */
    public String url() {
        return url;
    }

    /** The port it listens on. */
    public int port() {
        return endpoint.port();
    }

    /** What kubectl and other clients need to speak to it. A secret: the administrator's token is in it. */
    public String kubeconfig() {
        return kubeconfig(Credentials.DEFAULT_NAMESPACE);
    }

    /**
     * The same for a client that begins in another namespace.
     *
     * @param namespace where it looks if it names none; need not be there
     */
    public String kubeconfig(String namespace) {
        return kubeconfig.apply(namespace);
    }

    /**
     * Writes {@link #kubeconfig} to a file for its owner alone.
     *
     * @throws IOException if it cannot be written; the message names the file
     */
    public void writeKubeconfig(Path file) throws IOException {
        PrivateFile.write(file, kubeconfig().getBytes(StandardCharsets.UTF_8));
    }

    /** Ends all watches and stops listening; requests under way get a moment to end. The store stays open. */
    @Override
    public void close() {
        endpoint.close();
    }
}
