// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.option.CsiEndpointOptions;
import dev.mooring.distribution.option.DataDirectory;
import dev.mooring.distribution.option.HostName;
import dev.mooring.distribution.option.NodeName;
import dev.mooring.distribution.option.PortNumber;
import dev.mooring.distribution.option.ProcessOptions;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneOptions;
import dev.mooring.distribution.standalone.StandaloneOptionsBuilder;
import dev.mooring.distribution.wiring.ControllerChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code mooring standalone}: a cluster of this machine alone, for kubectl. */
@Command(
        name = "standalone",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Runs everything in one process, for one machine and kubectl.",
            "These are the API endpoint, the objects in a file, all controllers, a small scheduler, and this machine as the node",
            "that mounts volumes. Pods \"run\" when their volumes are mounted; containers are not started. SIGTERM or ctrl-C ends",
            "it. Mounts stay, and the next start finds them.",
            "Exit status: 1 the process cannot start or has ended by itself, 2 the arguments are malformed."
        })
final class StandaloneCommand implements Callable<Integer> {
    private static final String SQLITE_DIRECTORY = "org.sqlite.tmpdir";
    private static final String MADE_BELOW = "kubernetes.io/host-path:root";
    /** How often it is asked whether everything still works. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ProcessOptions process = new ProcessOptions();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "mooring-data",
            converter = DataDirectory.class,
            description = "The directory for all data (${DEFAULT-VALUE}).")
    private Path data = Path.of("mooring-data");

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "The file to write for kubectl, with mode 0600. Default: DIR/kubeconfig.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "6443",
            converter = PortNumber.class,
            description = "The port to listen on; 0 for a free one (${DEFAULT-VALUE}).")
    private int port = 6443;

    @Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            description =
                    "The address of this machine to listen on. Beyond loopback, every client with the token can mount and read files here.")
    private @Nullable InetAddress address;

    @Option(names = "--listen-beyond-loopback", description = "Allows a --bind-address that other machines can reach.")
    private boolean beyond;

    @Mixin
    private CsiEndpointOptions csi = new CsiEndpointOptions();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            converter = NodeName.class,
            description = "The name of this machine as a Node. Default: the host name.")
    private String node = "";

    @Option(
            names = "--controllers",
            paramLabel = "NAMES",
            defaultValue = "*",
            converter = ControllerNames.class,
            description =
                    "The controllers to run, with commas between: NAME runs one, -NAME does not, * stands for all (${DEFAULT-VALUE}). If each"
                            + " name has a dash, all others run. See docs/operate/standalone.md.")
    private ControllerChoice controllers = ControllerChoice.ALL;

    @Override
    public Integer call() throws IOException, InterruptedException {
        process.startLog();
        PrintWriter out = spec.commandLine().getOut();
        StandaloneOptions options = options();
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        keepNativeLibraries(options.data());
        Standalone server = Standalone.start(options, plugins(options.data()));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            end.countDown();
            await(ended);
        }));
        out.println("mooring: listening on " + server.url());
        out.println("mooring: export KUBECONFIG=" + options.kubeconfig().toAbsolutePath());
        out.println("mooring: in a browser " + server.url() + "/ui/ with the token in "
                + options.data().resolve("access/token").toAbsolutePath());
        out.println("mooring: or once, within 15 minutes, by " + server.loginUrl());
        out.flush();
        try {
            return untilToldOrSick(end, server);
        } finally {
            close(server::close, ended);
        }
    }

    private int untilToldOrSick(CountDownLatch end, Standalone server) throws InterruptedException {
        while (!end.await(LOOK.toSeconds(), TimeUnit.SECONDS)) {
            Optional<String> sickness = server.sickness();
            if (sickness.isPresent()) {
                spec.commandLine().getErr().println("mooring: " + sickness.get() + "; this process ends");
                return CommandLine.ExitCode.SOFTWARE;
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Whatever becomes of the closing: the process, whose shutdown waits for the latch, has to end. */
    static void close(Runnable server, CountDownLatch ended) {
        try {
            server.run();
        } finally {
            ended.countDown();
        }
    }

    /** SQLite's driver unpacks a library at each start, and a process that is killed leaves it: here the next start takes it away. */
    private static void keepNativeLibraries(Path data) {
        if (System.getProperty(SQLITE_DIRECTORY) != null) {
            return;
        }
        try {
            Path directory = Files.createDirectories(data.resolve("native").toAbsolutePath());
            try (Stream<Path> left = Files.list(directory)) {
                // One that another process uses stays usable to it.
                for (Path each :
                        left.filter(file -> file.toString().contains("sqlite-")).toList()) {
                    Files.deleteIfExists(each);
                }
            }
            System.setProperty(SQLITE_DIRECTORY, directory.toString());
        } catch (IOException | UncheckedIOException e) {
            // A later step reports what is wrong with the directory.
        }
    }

    /** Directories for claims are made below the data directory, too, unless a setting says where. */
    private Map<String, String> settings(Path data) {
        if (process.pluginSetting(MADE_BELOW).isPresent()) {
            return Map.of();
        }
        Path made = data.resolve("hostpath").toAbsolutePath();
        try {
            if (Files.notExists(made)) {
                Files.createDirectories(made);
                // If another user could write to it, he could exchange what is in it, so that the plugin would refuse
                // it.
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            made = made.toRealPath();
        } catch (IOException e) {
            // A later step reports what is wrong with the directory.
        }
        return Map.of(MADE_BELOW, made.toString());
    }

    private InstalledPlugins plugins(Path data) {
        try {
            return process.plugins(settings(data));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private StandaloneOptions options() throws IOException {
        InetAddress where = address == null ? InetAddress.getLoopbackAddress() : address;
        if (!where.isLoopbackAddress() && !beyond) {
            throw new ParameterException(
                    spec.commandLine(),
                    where.getHostAddress()
                            + " can be reached from other machines; add --listen-beyond-loopback if you want that");
        }
        Path file = kubeconfig == null ? data.resolve("kubeconfig") : kubeconfig;
        return StandaloneOptionsBuilder.builder()
                .data(data)
                .kubeconfig(file)
                .address(where)
                .port(port)
                .node(node.isEmpty() ? HostName.ofThisMachine() : node)
                .version(Version.VERSION)
                .operations(process.operations())
                .endpoints(csi.endpoints())
                .controllers(controllers)
                .places(process.keepFiles(
                        "mooring standalone",
                        Map.of(data.toAbsolutePath(), "objects, records, keys, tokens and backups")))
                .build();
    }

    /** Names of controllers with commas between. */
    static final class ControllerNames implements ITypeConverter<ControllerChoice> {
        @Override
        public ControllerChoice convert(String value) {
            try {
                return ControllerChoice.of(
                        Arrays.stream(value.split(",", -1)).map(String::strip).toList());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
