// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.Explanation;
import dev.mooring.binder.explain.ExplanationDocument;
import dev.mooring.binder.explain.ExplanationText;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring explain}: why a claim or a volume is in its state. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Explains why a claim is Pending or Lost, or a volume Released, Failed or still there.",
            "Reads the cluster, or a dump of it: what 'kubectl get pv,pvc,storageclasses,nodes,pods,events -A -o yaml'"
                    + " prints, and volumeattributesclasses if the claim names one; kinds that are missing in a dump count as absent.",
            "Exit status: 0 explained, 1 the object does not exist or the cluster does not answer, 2 arguments or dump are malformed."
        })
final class ExplainCommand implements Callable<Integer> {
    private static final int ABSENT = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "KIND/NAME", description = "pvc/NAME or pv/NAME.")
    private String subject = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The namespace of the claim.",
            defaultValue = "default")
    private String namespace = "default";

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "A dump of the cluster's objects, YAML or JSON; '-' for standard input. May be repeated.")
    private List<Path> files = List.of();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The time of the dump, such as 2000-01-01T00:00:00Z. Default: now.")
    private Optional<Instant> at = Optional.empty();

    @Mixin
    private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        BiFunction<Explainer, Snapshot, Optional<Explanation>> question = question();
        if (!files.isEmpty() && cluster.isNamed()) {
            throw new ParameterException(
                    spec.commandLine(), "--file is a dump and --kubeconfig a cluster: name one of them");
        }
        Explainer explainer = new Explainer(BinderOptions.DEFAULT, new PluginRegistry(Plugins.installed()));
        Optional<Explanation> explanation = question.apply(explainer, snapshot());
        if (explanation.isEmpty()) {
            spec.commandLine().getErr().println("mooring: " + place() + " has no " + subject + where());
            return ABSENT;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                output.isJson()
                        ? KubernetesJson.standard().writeIndented(ExplanationDocument.of(explanation.get())) + "\n"
                        : ExplanationText.of(explanation.get()));
        out.flush();
        return 0;
    }

    private String place() {
        return files.isEmpty() ? "the cluster" : "the dump";
    }

    private Snapshot snapshot() {
        if (files.isEmpty()) {
            try (ClusterStore store = cluster.open()) {
                return new LiveCluster(store).snapshot(at.orElseGet(Instant::now));
            }
        }
        try {
            return Snapshot.of(Dumps.read(files), at.orElseGet(Instant::now));
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "cannot read the dump: " + e.getMessage(), e);
        } catch (CodecException | Dumps.MalformedDump e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** What is asked, before anybody is: a name that cannot be one needs no cluster to be refused. */
    private BiFunction<Explainer, Snapshot, Optional<Explanation>> question() {
        int slash = subject.indexOf('/');
        String kind = slash < 0 ? "" : subject.substring(0, slash).toLowerCase(Locale.ROOT);
        String name = subject.substring(slash + 1);
        if (!name.isEmpty()) {
            switch (kind) {
                case "pvc", "persistentvolumeclaim", "persistentvolumeclaims" -> {
                    return (explainer, snapshot) -> explainer.claim(snapshot, ObjectKey.of(namespace, name));
                }
                case "pv", "persistentvolume", "persistentvolumes" -> {
                    return (explainer, snapshot) -> explainer.volume(snapshot, name);
                }
                default -> {}
            }
        }
        throw new ParameterException(spec.commandLine(), "must be pvc/NAME or pv/NAME, not '" + subject + "'");
    }

    private String where() {
        return subject.toLowerCase(Locale.ROOT).startsWith("pvc") || subject.contains("claim")
                ? " in namespace " + namespace
                : "";
    }
}
