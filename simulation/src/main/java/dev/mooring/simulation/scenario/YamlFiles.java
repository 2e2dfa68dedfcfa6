// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.runtime.control.FileFailures;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesLists;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads YAML, of which JSON is a part, from the file system. */
final class YamlFiles implements ScenarioParser.Files {
    private static final long MOST_BYTES = 64L << 20;
    private static final int RULE_LIMIT = 400;

    private final KubernetesYaml yaml = KubernetesYaml.standard();

    @Override
    public ScenarioValue scenario(Path file, ScenarioPlace place) {
        List<Document> documents = read(file, place);
        if (documents.size() != 1) {
            throw new MalformedScenario(place, "must hold one document, not " + documents.size());
        }
        return new ScenarioValue(place, documents.get(0).asMap());
    }

    @Override
    public List<ScenarioValue> manifests(Path file, ScenarioPlace place) {
        try {
            return KubernetesLists.expand(read(file, place), place.file()).stream()
                    .map(document -> new ScenarioValue(place, document.asMap()))
                    .toList();
        } catch (CodecException e) {
            throw new MalformedScenario(place, e.rule());
        }
    }

    private List<Document> read(Path file, ScenarioPlace place) {
        String text = text(file, place);
        try {
            return yaml.readAll(text, place.file());
        } catch (CodecException e) {
            ScenarioPlace step =
                    StepLines.stepAt(text, e.line()).map(place::inStep).orElse(place);
            String where = e.line() == 0 ? "" : "line " + e.line() + ", column " + e.column() + ": ";
            throw new MalformedScenario(step, where + ScenarioValue.shortened(e.rule(), RULE_LIMIT));
        }
    }

    private static String text(Path file, ScenarioPlace place) {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new MalformedScenario(place, "is not a regular file");
            }
            if (Files.size(file) > MOST_BYTES) {
                throw new MalformedScenario(place, "must not be longer than " + MOST_BYTES + " bytes");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new MalformedScenario(place, "there is no such file");
        } catch (MalformedInputException e) {
            throw new MalformedScenario(place, "must be text in UTF-8");
        } catch (IOException e) {
            throw new MalformedScenario(
                    place, "cannot be read: " + ScenarioValue.shortened(FileFailures.reason(e), RULE_LIMIT));
        }
    }
}
