// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What a plugin says without touching anything. */
final class PureChecks {
    private static final int VOLUMES = 12;

    private static final int TIMES = 10;

    private PureChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>(List.of(
                Check.cold(Rule.K01, "describe", PureChecks::description),
                Check.cold(Rule.K02, "identify", PureChecks::identities),
                Check.cold(Rule.K03, "validate", PureChecks::validation),
                Check.cold(Rule.K06, "configured", PureChecks::settings),
                Check.cold(Rule.K07, "discover", PureChecks::discovery)));
        if (bench.plugin().capability(Staging.class).isPresent()
                || bench.plugin().capability(BlockMapping.class).isPresent()) {
            checks.add(Check.cold(Rule.K33, "places", PureChecks::places));
        }
        return checks;
    }

    /** Whatever these methods throw is a defect. */
    private static <T> T pure(String what, Supplier<T> question) {
        T answer;
        try {
            answer = question.get();
        } catch (RuntimeException | StackOverflowError e) {
            throw new BrokenRule(Rule.K04, what + " threw " + e.getClass().getName(), e);
        }
        require(answer != null, Rule.K04, what + " answered null");
        return answer;
    }

    private static void description(Bench bench) {
        PluginDescriptor first = pure("describe", () -> bench.plugin().describe());
        for (int i = 0; i < TIMES; i++) {
            PluginDescriptor next = pure("describe", () -> bench.plugin().describe());
            require(first.equals(next), Rule.K01, "it said " + first + ", then " + next);
            if (i == TIMES / 2) {
                bench.restart();
            }
        }
        boolean csi = !first.name().value().contains("/");
        require(
                csi || !first.sourceTypes().isEmpty(),
                Rule.K01,
                first.name() + " serves no source type, and is not named as a CSI driver is");
    }

    private static void identities(Bench bench) {
        Set<VolumeId> seen = new HashSet<>();
        for (int number = 1; number <= VOLUMES; number++) {
            VolumeLife life = bench.life(number);
            if (LifeStep.PROVISION.applies(bench)) {
                life.must(LifeStep.PROVISION);
            }
            VolumeSource source = life.spec().source();
            VolumeSource copy = new VolumeSource(
                    source.type(), Document.of(source.attributes().asMap()));
            VolumeId id = pure("identify", () -> bench.plugin().identify(source));
            bench.restart();
            VolumeId again = pure("identify", () -> bench.plugin().identify(copy));
            require(id.equals(again), Rule.K02, "one source was called " + id + ", then " + again);
            require(
                    id.plugin().equals(bench.plugin().describe().name()),
                    Rule.K02,
                    "the volume " + id + " is said to be another plugin's");
            require(seen.add(id), Rule.K02, "two volumes are both called " + id);
            life.end();
        }
    }

    private static void validation(Bench bench) {
        VolumeLife life = bench.life(1);
        if (LifeStep.PROVISION.applies(bench)) {
            life.must(LifeStep.PROVISION);
        }
        VolumeSource good = life.spec().source();
        List<FieldProblem> none = pure("validate", () -> bench.plugin().validate(good));
        require(none.isEmpty(), Rule.K03, "a good source was found faulty: " + none);
        List<VolumeSource> faulty = new ArrayList<>(bench.subject().faultySources());
        bench.plugin().describe().sourceTypes().forEach(type -> faulty.add(new VolumeSource(type, Document.empty())));
        String name = bench.plugin().describe().name().value();
        if (!name.contains("/")) {
            faulty.add(new CsiSource(name, "", "", false, Map.of()).toSource());
        }
        for (VolumeSource source : faulty) {
            List<FieldProblem> problems = pure("validate", () -> bench.plugin().validate(source));
            require(!problems.isEmpty(), Rule.K03, "no fault was found in " + source);
            require(
                    problems.stream()
                            .noneMatch(problem ->
                                    problem.field().isBlank() || problem.rule().isBlank()),
                    Rule.K03,
                    "a problem names neither field nor rule: " + problems);
        }
        // of a wrong type: refused or taken for absent, but nothing is thrown
        for (String key : good.attributes().asMap().keySet()) {
            VolumeSource odd = new VolumeSource(good.type(), good.attributes().with(List.of(7L), key));
            if (pure("validate", () -> bench.plugin().validate(odd)).isEmpty()) {
                pure("identify", () -> bench.plugin().identify(odd));
            }
        }
        life.end();
    }

    private static void settings(Bench bench) {
        Outcome<StoragePlugin> outcome =
                bench.call("configured", () -> bench.plugin().configured(Map.of("kit.unknown", "1")));
        require(
                VolumeLife.isRefused(outcome, Refusal.INVALID),
                Rule.K06,
                "the setting 'kit.unknown' was answered with " + Answers.text(outcome));
    }

    private static void discovery(Bench bench) {
        if (!bench.plugin().discovers()) {
            Outcome<?> outcome = bench.call(
                    "discover", () -> bench.plugin().discover(bench.life(1).context("discover"), Map.of()));
            boolean empty = outcome.result().filter(List.of()::equals).isPresent();
            require(empty, Rule.K07, "it does not discover, but discover was answered with " + Answers.text(outcome));
        }
    }

    private static void places(Bench bench) {
        Set<Path> seen = new HashSet<>();
        for (int number = 1; number <= VOLUMES; number++) {
            VolumeLife life = bench.life(number);
            if (LifeStep.PROVISION.applies(bench)) {
                life.must(LifeStep.PROVISION);
            }
            for (Path path : places(bench, life)) {
                require(
                        !path.isAbsolute() && path.normalize().equals(path) && !path.startsWith(".."),
                        Rule.K33,
                        "a place is " + path);
                require(seen.add(path), Rule.K33, "two volumes have the place " + path);
            }
            require(places(bench, life).equals(places(bench, life)), Rule.K33, "a volume has now this place, now that");
            life.end();
        }
    }

    private static List<Path> places(Bench bench, VolumeLife life) {
        List<Path> places = new ArrayList<>();
        bench.plugin()
                .capability(Staging.class)
                .ifPresent(stager ->
                        places.add(pure("stagingDirectory", () -> stager.stagingDirectory(life.spec(), life.id()))));
        bench.plugin()
                .capability(BlockMapping.class)
                .ifPresent(mapper ->
                        places.add(pure("mapDirectory", () -> mapper.mapDirectory(life.spec(), life.id()))));
        return places;
    }
}
