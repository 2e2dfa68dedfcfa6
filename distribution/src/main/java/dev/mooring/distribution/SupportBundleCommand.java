// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.config.ConfigDefaults;
import dev.mooring.distribution.config.ToldOptions;
import dev.mooring.distribution.option.BindAddress;
import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.distribution.support.SupportBundle;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mooring support-bundle}: what a helper needs who cannot see the cluster. */
@Command(
        name = "support-bundle",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Collects what a remote helper needs, without secrets.",
            "Writes a page for browsers with versions, configuration, storage objects of the cluster, explanations of what waits, and the",
            "mounts and records of this machine, log lines, metrics and threads of a process: docs/operate/support-bundle.md.",
            "Exit status: 0 the file is written, and names what is missing; 1 it is not written; 2 the kubeconfig cannot be used."
        })
final class SupportBundleCommand implements Callable<Integer> {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final int PATIENCE_MILLIS = 10_000;

    private final ConfigDefaults defaults;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "The cluster. Default: that of --data-dir, then of $KUBECONFIG, then the one of this pod.")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "The --data-dir of standalone or node on this machine, for records and mounts.")
    private Optional<Path> data = Optional.empty();

    @Option(
            names = "--metrics-address",
            paramLabel = "ADDRESS:PORT",
            converter = BindAddress.class,
            description =
                    "The --metrics-bind-address of a running process of this machine, for its configuration, log, metrics and threads.")
    private Optional<InetSocketAddress> process = Optional.empty();

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration file in use, if any.")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "The file to write: a tar.gz, or a page if its name ends in .html. Default: mooring-support-TIME.html in the working directory.")
    private Optional<Path> output = Optional.empty();

    SupportBundleCommand(ConfigDefaults defaults) {
        this.defaults = defaults;
    }

    @Override
    public Integer call() throws IOException {
        try {
            kubeconfig.ifPresent(Connection::ofKubeconfig); // what was named has to be there
        } catch (ConnectionException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        Instant now = TimeSource.system().now().wall();
        String name = "mooring-support-" + STAMP.format(now);
        SupportBundle bundle = new SupportBundle();
        List<StoragePlugin> plugins = Plugins.installed();
        bundle.add("versions.txt", () -> versions(plugins, now));
        bundle.add("configuration.txt", this::configuration);
        addCluster(bundle, plugins, now);
        data.ifPresent(dir -> bundle.add("node/records.txt", () -> records(dir)));
        bundle.add("node/mounts.txt", () -> Files.readString(Path.of("/proc/self/mountinfo")));
        process.ifPresent(address -> {
            for (String path : List.of("log", "metrics", "threads", "livez", "readyz")) {
                bundle.add("process/" + path + ".txt", () -> get(address, path));
            }
        });
        Path file = output.orElseGet(() -> Path.of(name + ".html"));
        if (Files.exists(file)) {
            throw new IOException(file + " is there already");
        }
        List<String> missing = written(bundle, file, name);
        PrintWriter err = spec.commandLine().getErr();
        missing.forEach(each -> err.println("mooring: missing: " + each));
        err.flush();
        spec.commandLine().getOut().println(file);
        spec.commandLine().getOut().flush();
        return 0;
    }

    private static List<String> written(SupportBundle bundle, Path file, String name) throws IOException {
        try {
            return bundle.write(file, name);
        } catch (IOException e) {
            throw new IOException(
                    file + " cannot be written: " + FileFailures.reason(e) + "; --output names another file", e);
        }
    }

    private void addCluster(SupportBundle bundle, List<StoragePlugin> plugins, Instant now) {
        Optional<Path> file =
                kubeconfig.or(() -> data.map(dir -> dir.resolve("kubeconfig")).filter(Files::exists));
        KubernetesOptions options = KubernetesOptions.DEFAULT
                .withUserAgent("mooring-support")
                .withRequestTimeout(Duration.ofMillis(PATIENCE_MILLIS));
        bundle.add("cluster.txt", () -> {
            Connection connection = Connection.choose(file, System.getenv());
            try (ClusterStore store = KubernetesStore.open(connection, options)) {
                bundle.addCluster(store, plugins, now);
            }
            return connection + "\n";
        });
    }

    private static String versions(List<StoragePlugin> plugins, Instant now) {
        StringBuilder text = new StringBuilder("time " + now + "\n");
        for (String line : new Version().getVersion()) {
            text.append(line).append('\n');
        }
        text.append("kernel ").append(System.getProperty("os.version", "")).append('\n');
        plugins.forEach(plugin ->
                text.append("plugin ").append(plugin.describe().name().value()).append('\n'));
        return text.toString();
    }

    /** The options of the running process; without one, the options that each command would have here. */
    private String configuration() throws IOException {
        if (process.isPresent()) {
            return get(process.get(), "configuration");
        }
        StringBuilder text = new StringBuilder(
                "# What a command would be told that is started by this user now. --metrics-address asks a running process.\n");
        for (String command : defaults.schema().sections()) {
            text.append(ToldOptions.ofNewProcess(defaults, command, config));
        }
        return text.toString();
    }

    /** Without what plugins remember: that is theirs. */
    private static String records(Path dir) throws IOException {
        Path file = Files.exists(dir.resolve("store/node.db")) ? dir.resolve("store/node.db") : dir.resolve("node.db");
        if (!Files.exists(file)) {
            throw new IOException("there is no " + file);
        }
        StringBuilder text = new StringBuilder();
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file)) {
            for (RecordEntry entry : RecordLog.standing(log.replay()).values()) {
                text.append(entry.phase()).append(' ').append(entry.key()).append(' ');
                text.append(entry.volume())
                        .append(" boot ")
                        .append(entry.bootId())
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String get(InetSocketAddress address, String path) throws IOException {
        String host = address.getHostString();
        URI uri = URI.create(
                "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort() + "/" + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        int status = connection.getResponseCode();
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String text = body == null ? "" + status : new String(body.readAllBytes(), StandardCharsets.UTF_8);
            if (status == HttpURLConnection.HTTP_FORBIDDEN || status == HttpURLConnection.HTTP_NOT_FOUND) {
                throw new IOException(uri + " answers " + status + ": " + text.strip());
            }
            return text;
        } finally {
            connection.disconnect();
        }
    }
}
