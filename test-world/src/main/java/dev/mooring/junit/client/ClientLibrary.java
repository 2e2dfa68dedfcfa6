// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.client;

import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/**
 * A library whose client can be injected. It is reached by reflection: a test chooses libraries and their versions, and no library that it
 * does not use has to be there.
 */
public enum ClientLibrary {
    /** fabric8's client, with its defaults. */
    FABRIC8("io.fabric8.kubernetes.client.KubernetesClient") {
        @Override
        InjectedClient connect(Types types, String kubeconfig) throws ReflectiveOperationException {
            Class<?> config = types.named("io.fabric8.kubernetes.client.Config");
            Class<?> builder = types.named("io.fabric8.kubernetes.client.KubernetesClientBuilder");
            Object toServer = config.getMethod("fromKubeconfig", String.class).invoke(null, kubeconfig);
            Object described = builder.getMethod("withConfig", config)
                    .invoke(builder.getConstructor().newInstance(), toServer);
            AutoCloseable client = (AutoCloseable) builder.getMethod("build").invoke(described);
            return new InjectedClient(client, client);
        }
    },

    /** The official Java client. */
    OFFICIAL("io.kubernetes.client.openapi.ApiClient") {
        @Override
        InjectedClient connect(Types types, String kubeconfig) throws ReflectiveOperationException {
            Object client = types.named("io.kubernetes.client.util.Config")
                    .getMethod("fromConfig", Reader.class)
                    .invoke(null, new StringReader(kubeconfig));
            Object http = client.getClass().getMethod("getHttpClient").invoke(client);
            return new InjectedClient(client, () -> letGo(http));
        }

        /** As the documentation of OkHttp says. */
        private void letGo(Object http) throws ReflectiveOperationException {
            Object dispatcher = http.getClass().getMethod("dispatcher").invoke(http);
            Object connections = http.getClass().getMethod("connectionPool").invoke(http);
            dispatcher.getClass().getMethod("cancelAll").invoke(dispatcher);
            ((ExecutorService)
                            dispatcher.getClass().getMethod("executorService").invoke(dispatcher))
                    .shutdown();
            connections.getClass().getMethod("evictAll").invoke(connections);
        }
    },

    /** Java Operator SDK's operator, which the test starts. */
    OPERATOR_SDK("io.javaoperatorsdk.operator.Operator") {
        @Override
        InjectedClient connect(Types types, String kubeconfig) throws ReflectiveOperationException {
            InjectedClient client = FABRIC8.connect(types, kubeconfig);
            Class<?> clientType = types.named(FABRIC8.typeName);
            Class<?> overrider = types.named("io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider");
            Consumer<Object> override = options -> {
                try {
                    overrider.getMethod("withKubernetesClient", clientType).invoke(options, client.value());
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(cannot("configured", e), e);
                }
            };
            Object operator =
                    types.named(typeName()).getConstructor(Consumer.class).newInstance(override);
            return new InjectedClient(operator, () -> {
                operator.getClass().getMethod("stop").invoke(operator);
                client.closing().close();
            });
        }
    };

    private final String typeName;

    ClientLibrary(String typeName) {
        this.typeName = typeName;
    }

    /** The type of the parameter that it is injected for. */
    public String typeName() {
        return typeName;
    }

    /** The library whose client has this type; empty if none has. */
    public static Optional<ClientLibrary> of(Class<?> type) {
        return Arrays.stream(values())
                .filter(each -> each.typeName.equals(type.getName()))
                .findFirst();
    }

    /**
     * Makes a client.
     *
     * @param type the parameter's type, from whose class loader the library comes
     * @throws IllegalStateException if the library is not whole, or of a version that works otherwise
     */
    public InjectedClient connect(Class<?> type, String kubeconfig) {
        try {
            return connect(new Types(type.getClassLoader()), kubeconfig);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getTargetException();
            throw new IllegalStateException(cannot("made", cause), cause);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(cannot("made", e) + "; is all of the library on the class path?", e);
        }
    }

    abstract InjectedClient connect(Types types, String kubeconfig) throws ReflectiveOperationException;

    String cannot(String done, Throwable why) {
        return "a " + typeName + " cannot be " + done + ": " + why;
    }

    /** The types of a library. */
    record Types(ClassLoader loader) {
        Class<?> named(String name) throws ClassNotFoundException {
            return Class.forName(name, true, loader);
        }
    }
}
